import { describe, expect, it } from 'vitest'
import { asGiven, readFaultFile, writeFaultFile } from './fault-file.ts'

const read = (text: string) => readFaultFile('f.yaml', text)

describe('a fault file', () => {
  it('is a list, or has a seed beside it; YAML or JSON', () => {
    const fault = { kind: 'ERROR', target: 'API', params: { status: 503 } }
    const list = read('- kind: ERROR # the first\n  target: API\n  params: { status: 503 }\n')
    expect([list.besides, list.faults]).toEqual([{}, [fault]])
    const map = read('seed: 41\nfaults:\n- kind: ERROR\n  target: API\n  params:\n    status: 503\n')
    expect([map.besides, map.faults]).toEqual([{ seed: '41' }, [fault]])
    expect(read(JSON.stringify({ seed: 'a', faults: [fault] })).faults).toEqual([fault])
  })

  it('takes times, endings and seeds as they are written', () => {
    const { faults } = read('- until: 2025-10-13T09:00:00Z\n  seed: 7\n  params: { outcome: 005 }\n')
    expect(faults).toEqual([{ until: '2025-10-13T09:00:00Z', seed: '7', params: { outcome: '005' } }])
  })

  it('knows in which line each begins', () => {
    const { lineOf } = read(
      '# two of them\nfaults:\n  - kind: ERROR\n    target: API\n\n  - kind: OUTAGE\n  - ERROR\n',
    )
    expect([0, 1, 2].map(lineOf)).toEqual([3, 6, 2])
  })

  it.each([
    ['', 'f.yaml is not a list of faults.'],
    ['ERROR', 'f.yaml is not a list of faults.'],
    ['seed: 1', 'f.yaml: faults is not a list.'],
    ['[]', 'f.yaml has no faults.'],
    ['- kind: ERROR\n  kind: OUTAGE', 'f.yaml:2: duplicated mapping key.'],
    ['- kind: ERROR\n- {', 'f.yaml:2: '],
    ['- &a {kind: ERROR}\n- *a', 'f.yaml:1: anchors and aliases are not supported.'],
    ['- kind: &a ERROR\n- kind: *a', 'f.yaml:1: anchors and aliases are not supported.'],
    ['- !!js/function x', 'f.yaml:1: unknown tag'],
    ['['.repeat(50_000), 'f.yaml:1: nesting exceeded'],
    ['- x\n'.repeat(101), 'f.yaml has 101 faults; a sandbox can have at most 100'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  it('is written of what the API shows, and reads as what was asked for', () => {
    const shown = (more: object) => ({
      ...{ id: 'Fault:1', kind: 'OUTCOME', target: 'RAIL', match: {}, probability: 1, after: 0, seed: '41' },
      ...{
        params: { outcome: '005' },
        hidden: false,
        seen: 3,
        hits: 2,
        createdAt: '2025-10-13T09:00:00.000Z',
      },
      ...more,
    })
    const content = asGiven([
      shown({}),
      shown({ probability: 0.5, times: 2, until: '2025-10-14T09:00:00.000Z' }),
    ])
    const plain = { kind: 'OUTCOME', target: 'RAIL', params: { outcome: '005' } }
    expect(content).toEqual({
      seed: '41',
      faults: [plain, { ...plain, probability: 0.5, times: 2, until: '2025-10-14T09:00:00.000Z' }],
    })
    const { besides, faults } = read(writeFaultFile(content))
    expect({ ...besides, faults }).toEqual(content)
    expect(asGiven([shown({}), shown({ seed: '' })])).toMatchObject({ faults: [{ seed: '41' }, plain] })
  })
})
