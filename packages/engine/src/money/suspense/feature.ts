import { route } from '../../mechanisms/feature/bound.ts'
import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import * as commands from './commands.ts'
import { assignSuspense, getSuspense, listSuspense, returnSuspense } from './contract.ts'

export const suspenseFeature = defineFeature({
  name: 'suspense',
  routes: [
    route(listSuspense, (engine, { query: { platformId, environment, ...query } }) =>
      commands.listSuspense(engine, { platformId, environment }, query),
    ),
    route(getSuspense, (engine, { params }) => commands.readSuspense(engine, params.itemId)),
    route(assignSuspense, (engine, { scope, params, body }) =>
      commands.assignSuspense(engine, scope.actor, params.itemId, body),
    ),
    route(returnSuspense, (engine, { scope, params, body }) =>
      commands.returnSuspense(engine, scope.actor, params.itemId, body.reason),
    ),
  ],
})
