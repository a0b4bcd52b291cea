/** A failure that the sandbox simulates because its platform asked for it. The operator has nothing to look after. */
export class SimulatedFailure extends Error {
  override readonly name = 'SimulatedFailure'
}
