import { route } from '../../mechanisms/feature/bound.ts'
import { simulateReceipt } from './commands.ts'
import { sandboxReceive } from './contract.ts'

export const receiptRoutes = [
  route(sandboxReceive, (engine, { scope, body }) => simulateReceipt(engine, scope, body)),
]
