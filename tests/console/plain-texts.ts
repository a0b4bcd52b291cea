import type { Page } from 'playwright-core'

/** What stays as it is in every language, besides codes in capitals: names, and words that a field of a time takes. */
const names = ['curl', 'env', 'TypeScript', 'yesterday']

/**
 * The words of a page in the made-up language that are still plain English: those have accents on each letter that can have one.
 * Left out is what is no text of the page: code, ids, amounts, times, what fields hold, and `data`, which the API answered.
 */
export async function plainTexts(page: Page, data: readonly string[] = []): Promise<string[]> {
  const said = (await page.locator('main').evaluate((main) => {
    const silent = 'code, pre, kbd, time, textarea, option[value=""], .id, .money, script, style'
    const texts: string[] = []
    const walk = main.ownerDocument.createTreeWalker(main, 4)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (!node.parentElement?.closest(silent)) texts.push(node.textContent ?? '')
    }
    for (const element of main.querySelectorAll('*')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const value = element.getAttribute(name)
        if (value && !element.matches('time, .id, .step')) texts.push(value)
      }
    }
    return texts
  })) as string[]
  const known = [...data].sort((a, b) => b.length - a.length)
  const plain = said.filter((text) => {
    const rest = known
      .reduce((left, each) => left.replaceAll(each, ' '), text)
      .replaceAll(/\b[A-Z]\w+:[\w-]+|…\w+|\bplatform-[\w-]+|https?:\S+/g, ' ')
    return (rest.match(/\p{L}{2,}/gu) ?? []).some(
      (word) => /^[A-Za-z]+$/.test(word) && /[aceinosuyz]/.test(word) && !names.includes(word),
    )
  })
  return [...new Set(plain.map((text) => text.trim()))]
}

/** Every text that an answer of the API holds, as `plainTexts` takes it. */
export function textsIn(answer: unknown): string[] {
  if (typeof answer === 'string') return answer.length > 1 ? [answer] : []
  return answer && typeof answer === 'object' ? Object.values(answer).flatMap(textsIn) : []
}

/** Loads a page of the console anew in the made-up language. */
export async function openPseudo(page: Page, path: string): Promise<void> {
  const [, home] = /^(.*?\/console\/[^/]+\/[^/?#]+)/.exec(page.url())!
  await page.evaluate(`localStorage.setItem('corridor.language', 'en-XA')`)
  await page.goto(`${home}/${path}`)
  await page.locator('main h1').waitFor()
}
