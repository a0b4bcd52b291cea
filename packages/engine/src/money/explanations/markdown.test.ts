import { describe, expect, it } from 'vitest'
import type { Explanation } from './contract.ts'
import { explanationMarkdown } from './markdown.ts'

const at = '2025-10-13T09:00:00.000Z'

const explanation: Explanation = {
  subject: { id: 'x|y', type: 'Request', environment: 'SANDBOX', asOf: at },
  sentence: 'A <b>name</b> [with](http://marks) and\n# a line.',
  status: {
    now: '200',
    since: at,
    waitingFor: 'NOBODY',
    expectedBy: null,
    overdue: false,
    cancellable: false,
    safeToRetry: { answer: 'NO', why: 'it is paid' },
  },
  derivation: [],
  journals: [],
  timeline: [],
  webhooks: [],
  next: [],
  checks: [],
  unknown: [],
}

describe('an explanation as prose', () => {
  it('takes nothing that stands in it for marks', () => {
    const prose = explanationMarkdown(explanation)
    expect(prose).toContain('# x\\|y\n')
    expect(prose).toContain('A \\<b\\>name\\</b\\> \\[with\\](http://marks) and \\# a line.')
    expect(prose).not.toMatch(/^# a line/m)
  })

  it('leaves out the parts that have nothing to say, and says how many rows it leaves out', () => {
    expect(explanationMarkdown(explanation)).not.toContain('##')
    const timeline = Array.from({ length: 205 }, () => ({ at, kind: 'RAIL' as const, text: 'x' }))
    const prose = explanationMarkdown({ ...explanation, timeline })
    expect(prose.match(/^\| 2025/gm)).toHaveLength(200)
    expect(prose).toContain('And 5 more.')
  })

  it('writes amounts with the decimals of their currency', () => {
    const step = {
      step: 1,
      name: 'sending',
      formula: 'sending',
      inputs: {},
      exact: '5',
      rounding: 'NONE' as const,
      rule: 'given',
    }
    const derivation = [
      { ...step, result: { amount: '5', currency: 'USD' } },
      { ...step, result: { amount: '-1234', currency: 'EUR' } },
      { ...step, result: { amount: '7', currency: 'MSAT' } },
    ]
    const prose = explanationMarkdown({ ...explanation, derivation })
    expect(prose).toContain('| given | 0.05 USD |')
    expect(prose).toContain('−12.34 EUR')
    expect(prose).toContain('| 7 MSAT |')
  })
})
