import { route } from '../../mechanisms/feature/bound.ts'
import * as commands from './commands.ts'
import * as contract from './contract.ts'
import { checkTarget } from './rules.ts'

export const pauseRoutes = [
  route(contract.pausePayouts, (engine, { scope, body }) => commands.pausePayouts(engine, scope, body), {
    check: (_engine, _scope, body) => checkTarget(body),
  }),

  route(contract.listPauses, (engine, { query }) => commands.listPauses(engine, query)),

  route(contract.getPause, (engine, { params }) => commands.readPause(engine, params.pauseId)),

  route(contract.listHeldPayments, (engine, { params, query }) =>
    commands.listHeldPayments(engine, params.pauseId, query),
  ),

  route(
    contract.liftPause,
    (engine, { scope, params, body }) => commands.liftPause(engine, scope, params.pauseId, body),
    // What is refused in any case is refused at once, and is nothing that somebody could approve.
    { needsSecondPerson: (engine, { params }) => commands.isInForce(engine, params.pauseId) },
  ),
]
