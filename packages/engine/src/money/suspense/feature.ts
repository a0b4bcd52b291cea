import { route } from '../../mechanisms/feature/bound.ts'
import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import * as commands from './commands.ts'
import { assignSuspense, listSuspense, returnSuspense } from './contract.ts'

export const suspenseFeature = defineFeature({
  name: 'suspense',
  routes: [
    route(listSuspense, (engine, { query: { platformId, environment, ...query } }) =>
      commands.listSuspense(engine, { platformId, environment }, query),
    ),
    route(assignSuspense, (engine, { params, body }) => commands.assignSuspense(engine, params.itemId, body)),
    route(returnSuspense, (engine, { params, body }) =>
      commands.returnSuspense(engine, params.itemId, body.reason),
    ),
  ],
})
