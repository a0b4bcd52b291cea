import { route } from '../../mechanisms/feature/bound.ts'
import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { collectFromCredits } from './automatic.ts'
import * as commands from './commands.ts'
import {
  collectReceivable,
  getReceivable,
  listReceivables,
  operatorCollectReceivable,
  operatorGetReceivable,
  operatorListReceivables,
  operatorWriteOffReceivable,
} from './contract.ts'
import { receivableWebhook } from './events.ts'

export const receivablesFeature = defineFeature({
  name: 'receivables',
  routes: [
    route(listReceivables, (engine, { scope, query }) => commands.readReceivables(engine, scope, query)),
    route(getReceivable, (engine, { scope, params }) => commands.readReceivable(engine, scope, params.id)),
    route(collectReceivable, (engine, { scope, params }) =>
      commands.collectReceivable(engine, scope, params.id),
    ),
    route(operatorListReceivables, (engine, { query: { platformId, environment, ...query } }) =>
      commands.readReceivables(engine, { platformId, environment }, query),
    ),
    route(operatorGetReceivable, (engine, { params }) =>
      commands.readReceivableOfAny(engine, params.receivableId),
    ),
    route(operatorCollectReceivable, (engine, { scope, params }) =>
      commands.collectReceivableOfAny(engine, scope.actor, params.receivableId),
    ),
    route(operatorWriteOffReceivable, (engine, { scope, params }) =>
      commands.writeOffReceivableOfAny(engine, scope.actor, params.receivableId),
    ),
  ],
  sweeps: [collectFromCredits],
  events: [receivableWebhook],
})
