import { route } from '../../mechanisms/feature/bound.ts'
import * as commands from './commands.ts'
import { createTransferIn, createTransferOut } from './contract.ts'

export const transferRoutes = [
  route(createTransferIn, (engine, { scope, body }) => commands.transferIn(engine, scope, body)),
  route(createTransferOut, (engine, { scope, body }) => commands.transferOut(engine, scope, body)),
]
