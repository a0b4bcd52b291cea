/** How many letters have to be put in, taken out or changed to make one word of the other. */
function lettersApart(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1]
    for (const [j, theirs] of [...other].entries()) {
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === theirs ? 0 : 1)))
    }
    row = next
  }
  return row[other.length]!
}

/** A slip of the finger, or one of several. */
const mostApart = 2
/** No word of a command is longer; what is longer is not one misspelt. */
const longestWord = 40

/** Those whose words are nearest to what was given, at most `most`, nearest first; none where each is far away. */
export function nearest<T extends { readonly words: readonly string[] }>(
  given: readonly string[],
  all: readonly T[],
  most: number,
): T[] {
  if (given.some((word) => word.length > longestWord)) return []
  return all
    .map((one) => {
      const apart = one.words.map((word, index) => lettersApart(word, given[index] ?? word))
      return { one, furthest: Math.max(...apart), sum: apart.reduce((sum, each) => sum + each, 0) }
    })
    .filter(({ furthest }) => furthest <= mostApart)
    .sort((a, b) => a.sum - b.sum || a.one.words.length - b.one.words.length)
    .slice(0, most)
    .map(({ one }) => one)
}
