import { misused } from './exit.ts'
import { CORE_SCHEMA, dump, load, YAMLException } from './yaml.ts'

/** A fault file: what fails on purpose, kept to be given to a sandbox again. YAML, of which JSON is a part. */

export const largestFileBytes = 256 * 1024
export const mostFaults = 100

/** A fault as the API takes it. What is wrong with it is said by the API. */
export type Given = Readonly<Record<string, unknown>>

export interface FaultFile {
  /** Of those that name none of their own, and whatever else stands beside them. */
  readonly besides: Given
  readonly faults: readonly unknown[]
  /** Where a fault begins, counted from 1. */
  lineOf(index: number): number
}

/** Reads a file of at most `largestFileBytes`. Fails with what is wrong, and in which line. */
export function readFaultFile(name: string, text: string): FaultFile {
  const lines = new WeakMap<object, number>()
  const content = parse(name, text, lines)
  const isList = Array.isArray(content)
  if (!isList && !isObject(content)) throw misused(`${name} is not a list of faults.`, shape)
  const { faults, ...besides } = isList ? { faults: content as unknown[] } : content
  if (!Array.isArray(faults)) throw misused(`${name}: faults is not a list.`, shape)
  if (faults.length === 0) throw misused(`${name} has no faults.`, shape)
  if (faults.length > mostFaults) {
    throw misused(`${name} has ${faults.length} faults; a sandbox can have at most ${mostFaults}.`)
  }
  return {
    besides: withTexts(besides),
    faults: faults.map((fault) => (isObject(fault) ? withTexts(fault) : fault)),
    lineOf(index) {
      const fault: unknown = faults[index]
      return (isObject(fault) ? lines.get(fault) : lines.get(faults)) ?? 1
    },
  }
}

const shape = 'A fault file contains a list of faults, or an object with `faults` and an optional `seed`.'

function parse(name: string, text: string, lines: WeakMap<object, number>): unknown {
  const begun: number[] = []
  try {
    return load(text, {
      schema: CORE_SCHEMA,
      listener(event, state) {
        if (event === 'open') {
          begun.push(state.line + 1)
          return
        }
        const line = begun.pop()!
        const { result } = state
        // What is written once and meant many times could be larger than the file.
        if (Object.keys(state.anchorMap).length > 0) {
          throw misused(`${name}:${line}: anchors and aliases are not supported.`)
        }
        if (typeof result === 'object' && result !== null) lines.set(result, line)
      },
    })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    // An end that comes too soon is behind the last line.
    const line = Math.min((error.mark?.line ?? 0) + 1, text.trimEnd().split('\n').length)
    throw misused(`${name}:${line}: ${error.reason}.`)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `seed: 41` and `outcome: 005` are numbers to YAML, and meant as text. */
function withTexts(fault: Given): Given {
  const { seed, params } = fault
  const { outcome } = isObject(params) ? params : {}
  return {
    ...fault,
    ...(typeof seed === 'number' ? { seed: String(seed) } : {}),
    ...(typeof outcome === 'number'
      ? { params: { ...(params as Given), outcome: String(outcome).padStart(3, '0') } }
      : {}),
  }
}

/** What the API says of a fault that was not asked for. */
const told = new Set(['id', 'seen', 'hits', 'createdAt'])
/** What need not be said, because it is so anyway. */
const usual: Given = { probability: 1, after: 0, seed: '', hidden: false }

/** Faults as the API shows them, as what was asked for, the oldest first. */
export function asGiven(faults: readonly Given[]): { seed?: string; faults: Given[] } {
  const seeds = new Set(faults.map(({ seed }) => seed))
  const [seed] = seeds
  const isShared = seeds.size === 1 && typeof seed === 'string' && seed !== ''
  return {
    ...(isShared ? { seed } : {}),
    faults: faults.map((fault) =>
      Object.fromEntries(
        Object.entries(fault).filter(
          ([name, value]) =>
            !told.has(name) &&
            !(isShared && name === 'seed') &&
            usual[name] !== value &&
            !(isObject(value) && Object.keys(value).length === 0),
        ),
      ),
    ),
  }
}

export function writeFaultFile(content: object): string {
  const text = dump(content, { schema: CORE_SCHEMA, noRefs: true, lineWidth: -1 })
  return `# Faults of a Corridor sandbox: corridor fault apply FILE\n${text}`.trimEnd()
}
