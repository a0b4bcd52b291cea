/** Parses a request body: one JSON object, valid UTF-8, no key twice in an object (conventions 4). */
export function parseStrictJson(
  bytes: Uint8Array,
): { ok: true; value: Record<string, unknown> } | { ok: false; reason: string } {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return { ok: false, reason: 'the body is not valid UTF-8' }
  }
  // Before anything is built from it: what is small as text may be large as objects.
  const shape = shapeOf(text)
  if (shape === 'TOO_DEEP') return { ok: false, reason: 'the body is nested too deeply' }
  if (shape === 'TOO_PRECISE') return { ok: false, reason: 'a number has too many digits' }
  if (shape === 'TOO_MANY') return { ok: false, reason: 'the body has too many fields' }
  let value: unknown
  try {
    // Copying an object would turn such a member into its prototype, behind the back of the validator.
    value = /__proto__|\\u005f/i.test(text) ? JSON.parse(text, withoutPrototype) : JSON.parse(text)
  } catch {
    return { ok: false, reason: 'the body is not valid JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, reason: 'the body is not a JSON object' }
  }
  if (hasDuplicateKeys(text)) return { ok: false, reason: 'an object contains a key twice' }
  return { ok: true, value: value as Record<string, unknown> }
}

/** A member like any other that nobody declares, and so ignored (conventions 4), unless somebody asks for it. */
function withoutPrototype(this: object, key: string, value: unknown): unknown {
  if (key !== '__proto__') return value
  bereft.add(this)
  return undefined
}

/** Objects of bodies that had such a member. */
const bereft = new WeakSet<object>()

/** Whether a member `__proto__` was left out of this object of a body, for what refuses names that it does not know. */
export function hadPrototype(value: object): boolean {
  return bereft.has(value)
}

/** A copy of an object of a body, of which the same is true. */
export function copied<T extends object>(copy: T, of: object): T {
  if (bereft.has(of)) bereft.add(copy)
  return copy
}

const decoder = new TextDecoder('utf-8', { fatal: true })

const maxDepth = 64
/** Ten times what the largest body that an operation accepts has; a bulk import is a file. */
const maxMembers = 20_000

/**
 * What walks over bodies does so by recursion and for each member, so depth and members have a limit. The
 * text may be any: where it is no JSON, parsing it will say so.
 */
function shapeOf(text: string): 'FITS' | 'TOO_DEEP' | 'TOO_MANY' | 'TOO_PRECISE' {
  let [depth, members] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) index = closingQuote(text, index)
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return 'TOO_DEEP'
      if (++members > maxMembers) return 'TOO_MANY'
    } else if (code === 0x7d || code === 0x5d) depth--
    else if (code === 0x2c && ++members > maxMembers) return 'TOO_MANY'
    else if (code === 0x2e && losesFraction(text, index)) return 'TOO_PRECISE'
  }
  return 'FITS'
}

const longFraction = /\.(\d*[1-9])/y

/** Whether the number with its point here would become an integer by rounding: 1000.00000000000000001 is no amount of 1000. */
function losesFraction(text: string, point: number): boolean {
  longFraction.lastIndex = point
  const fraction = longFraction.exec(text)?.[0]
  // Doubles keep 15 digits.
  if (fraction === undefined || fraction.length < 12) return false
  let start = point
  while (/\d/.test(text.charAt(start - 1))) start--
  return Number.isInteger(Number(text.slice(start, point) + fraction))
}

/**
 * Looks for a key that an object of this valid JSON names twice. JSON.parse keeps the last one silently,
 * so a signed or logged body could mean something else to us than to its author.
 */
export function hasDuplicateKeys(text: string): boolean {
  /** Keys of each open object; null for an open array. */
  const open: (Set<string> | null)[] = []
  let expectsKey = false
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x7b: // {
        open.push(new Set())
        expectsKey = true
        break
      case 0x5b: // [
        open.push(null)
        expectsKey = false
        break
      case 0x7d: // }
      case 0x5d: // ]
        open.pop()
        expectsKey = false
        break
      case 0x2c: // ,
        expectsKey = open[open.length - 1] != null
        break
      case 0x22: {
        const end = closingQuote(text, index)
        if (expectsKey) {
          const keys = open[open.length - 1]!
          const raw = text.slice(index + 1, end)
          const key = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
          if (keys.has(key)) return true
          keys.add(key)
          expectsKey = false
        }
        index = end
        break
      }
    }
  }
  return false
}

function closingQuote(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text.charCodeAt(index) !== 0x22)
    index += text.charCodeAt(index) === 0x5c ? 2 : 1
  return index
}
