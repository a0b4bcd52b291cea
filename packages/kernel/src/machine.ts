/** A state machine as data: the union of its states, its guards, its diagram and its tests derive from it. */
export interface Machine<S extends string = string, E extends string = string, R extends string = string> {
  readonly name: string
  readonly states: Readonly<Record<S, string>>
  readonly initial: readonly S[]
  readonly terminal: readonly S[]
  readonly transitions: readonly Transition<S, E>[]
  /** The error code that answers a move the table does not list, by state. */
  readonly refusals: Readonly<Partial<Record<S, R>> & { default: R }>
}

export interface Transition<S extends string, E extends string> {
  readonly from: readonly S[]
  readonly on: E
  readonly to: S
  readonly why: string
  /** The webhook type this move emits, if any. */
  readonly emits?: string
}

/**
 * Declares a machine and checks its table: it only names its own states, and a state answers an event
 * in one way (`step` would silently take the first of two rows).
 */
export function defineMachine<const S extends string, const E extends string, const R extends string>(
  machine: Machine<S, E, R>,
): Machine<S, E, R> {
  const known = new Set<string>(Object.keys(machine.states))
  const named = [
    ...machine.initial,
    ...machine.terminal,
    ...machine.transitions.flatMap((transition) => [...transition.from, transition.to]),
  ]
  for (const state of named) {
    if (!known.has(state)) throw new Error(`machine ${machine.name} names an unknown state ${state}`)
  }
  const answered = new Set<string>()
  for (const { from, on } of machine.transitions) {
    for (const state of from) {
      const pair = `${state} on ${on}`
      if (answered.has(pair)) throw new Error(`machine ${machine.name} lists ${pair} twice`)
      answered.add(pair)
    }
  }
  return machine
}

/** The state after `on`, or the code that refuses it. */
export function step<S extends string, E extends string, R extends string>(
  machine: Machine<S, E, R>,
  from: S,
  on: E,
): { ok: true; to: S } | { ok: false; refusal: R } {
  const transition = machine.transitions.find((row) => row.on === on && row.from.includes(from))
  if (transition) return { ok: true, to: transition.to }
  return { ok: false, refusal: machine.refusals[from] ?? machine.refusals.default }
}

/** The states from which `on` is listed: the `status` guard of the update that applies it. */
export function statesBefore<S extends string, E extends string>(
  machine: Pick<Machine<S, E>, 'transitions'>,
  on: E,
): S[] {
  return [...new Set(machine.transitions.filter((row) => row.on === on).flatMap((row) => row.from))]
}

/** The state to which `on` leads, from whichever state: what the update that applies it writes. */
export function stateAfter<S extends string, E extends string>(
  machine: Pick<Machine<S, E>, 'name' | 'transitions'>,
  on: NoInfer<E>,
): S {
  const states = new Set(machine.transitions.filter((row) => row.on === on).map((row) => row.to))
  const [to] = states
  if (to === undefined || states.size > 1) {
    throw new Error(`machine ${machine.name} leads to ${states.size} states on ${on}, and not to one`)
  }
  return to
}
