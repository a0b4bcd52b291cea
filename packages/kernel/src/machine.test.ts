import { describe, expect, it } from 'vitest'
import { defineMachine, stateAfter, statesBefore, step } from './machine.ts'

const door = defineMachine({
  name: 'door',
  initial: ['OPEN'],
  terminal: ['WALLED'],
  states: { OPEN: 'anyone may pass', SHUT: 'nobody may pass', WALLED: 'gone for good' },
  transitions: [
    { from: ['OPEN'], on: 'shut', to: 'SHUT', why: 'it is cold' },
    { from: ['SHUT'], on: 'open', to: 'OPEN', why: 'it is warm' },
    { from: ['OPEN', 'SHUT'], on: 'wallUp', to: 'WALLED', why: 'final' },
  ],
  refusals: { WALLED: 'NO_DOOR', default: 'ALREADY' },
})

describe('step', () => {
  it('answers every pair of state and event with the listed move or the listed refusal', () => {
    const answers = (['OPEN', 'SHUT', 'WALLED'] as const).map((state) =>
      (['shut', 'open', 'wallUp'] as const).map((event) => {
        const answer = step(door, state, event)
        return answer.ok ? answer.to : answer.refusal
      }),
    )
    expect(answers).toEqual([
      ['SHUT', 'ALREADY', 'WALLED'],
      ['ALREADY', 'OPEN', 'WALLED'],
      ['NO_DOOR', 'NO_DOOR', 'NO_DOOR'],
    ])
  })
})

describe('statesBefore', () => {
  it('lists each state once', () => {
    expect(statesBefore(door, 'wallUp')).toEqual(['OPEN', 'SHUT'])
    expect(statesBefore(door, 'shut')).toEqual(['OPEN'])
  })
})

describe('stateAfter', () => {
  it('is the one state to which an event leads', () => {
    expect(stateAfter(door, 'wallUp')).toBe('WALLED')
    expect(stateAfter(door, 'shut')).toBe('SHUT')
  })

  it('throws for an event that leads nowhere, and for one that leads to two states', () => {
    expect(() => stateAfter(door, 'burn' as 'shut')).toThrow('leads to 0 states on burn')
    const fork = defineMachine({
      name: 'fork',
      states: { A: '', B: '' },
      initial: ['A'],
      terminal: [],
      transitions: [
        { from: ['A'], on: 'go', to: 'B', why: '' },
        { from: ['B'], on: 'go', to: 'A', why: '' },
      ],
      refusals: { default: 'NO' },
    })
    expect(() => stateAfter(fork, 'go')).toThrow('leads to 2 states on go')
  })
})

describe('defineMachine', () => {
  const table = { name: 'm', states: { A: '', B: '' }, refusals: { default: 'NO' } }

  it('refuses a table that names a state it does not have', () => {
    const stray = { from: ['A'], on: 'go', to: 'C', why: '' }
    expect(() =>
      defineMachine<string, string, string>({ ...table, initial: ['A'], terminal: [], transitions: [stray] }),
    ).toThrow('unknown state C')
    expect(() =>
      defineMachine<string, string, string>({ ...table, initial: ['Z'], terminal: [], transitions: [] }),
    ).toThrow('unknown state Z')
  })

  it('refuses a table that answers one event of one state twice', () => {
    const transitions = [
      { from: ['A'], on: 'go', to: 'B', why: '' },
      { from: ['B', 'A'], on: 'go', to: 'A', why: '' },
    ]
    expect(() =>
      defineMachine<string, string, string>({ ...table, initial: ['A'], terminal: [], transitions }),
    ).toThrow('A on go twice')
  })
})
