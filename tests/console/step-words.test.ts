import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { journalSteps } from '@corridor/engine/money/payments/index.ts'
import { describe, expect, it } from 'vitest'

describe('the words for steps of the ledger', () => {
  it('are there for each step that the engine posts, and for no other', () => {
    const source = readFileSync(join(import.meta.dirname, '../../apps/console/src/parts/step.tsx'), 'utf8')
    const named = [...source.matchAll(/^ {2}(\w+): t\('/gm)].map(([, step]) => step)
    expect(named.sort()).toEqual([...journalSteps].sort())
  })
})
