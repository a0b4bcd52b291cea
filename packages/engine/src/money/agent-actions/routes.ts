import { failed, type Id, ok } from '@corridor/kernel'
import { requireActingAgent } from '../../access/agents/index.ts'
import { type BodyCheck, route } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type PageQuery, readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { readInternalAccounts } from '../../platform/internal-accounts/index.ts'
import { type FieldProblem, fail } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import {
  checkDetails,
  deleteExternalAccount,
  readExternalAccount,
  readExternalAccounts,
  registerExternalAccount,
} from '../external-accounts/index.ts'
import { createQuote, readQuote, renderQuote } from '../quotes/index.ts'
import { readTransaction, readTransactions } from '../transactions/index.ts'
import { approveAction, rejectAction } from './approve.ts'
import * as contract from './contract.ts'
import { showActions } from './render.ts'
import { actionList, approvalList, loadAction } from './store.ts'
import { executeQuote, requireOwnQuote, transfer } from './submit.ts'

/** The customer that the agent of a scope acts for. */
function customerOf({ actor }: Scope): Id<'Customer'> {
  return actor.customerId as Id<'Customer'>
}

const checkAccount: BodyCheck = async (engine, scope, body, params) => {
  const { customerId } = body
  const isForeign = typeof customerId === 'string' && customerId !== customerOf(scope)
  const field = 'defaultUmaDepositAccount'
  return [
    ...(await checkDetails(engine, scope, body, params)),
    ...(isForeign ? [{ field: 'customerId', message: 'is not your customer' }] : []),
    // All that comes in would go on to where the agent says, past its limits and without anybody's approval.
    ...(body[field] === true ? [{ field, message: 'is not allowed for agents' }] : []),
  ]
}

/** What could not wait for an approval, and the fees, which are the platform's to set (wallets 12.4). */
const checkQuote: BodyCheck = (_engine, _scope, { source, immediatelyExecute, platformFeeOverride }) => {
  const { sourceType } = (source ?? {}) as { sourceType?: unknown }
  const problems: FieldProblem[] = []
  const refuse = (field: string, message: string) => problems.push({ field, message })
  if (immediatelyExecute === true)
    refuse('immediatelyExecute', 'is not allowed for agents: execute the quote')
  if (sourceType === 'REALTIME_FUNDING') refuse('source.sourceType', 'must be ACCOUNT for agents')
  if (platformFeeOverride !== undefined) refuse('platformFeeOverride', 'is not allowed for agents')
  return problems
}

export const agentActionRoutes = [
  route(contract.listAgentApprovals, (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...filters } = query
    return page(engine, scope, { list: approvalList, name: 'agent-approvals', query, filters })
  }),
  route(contract.approveAgentAction, (engine, { scope, params }) => approveAction(engine, scope, params)),
  route(contract.rejectAgentAction, (engine, { scope, params, body }) =>
    rejectAction(engine, scope, params, body?.reason),
  ),

  route(contract.agentListActions, (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...asked } = query
    const filters = { ...asked, agentId: scope.actor.id }
    return page(engine, scope, { list: actionList, name: 'agent-actions', query, filters })
  }),
  route(contract.agentGetAction, async (engine, { scope, params: { actionId: id } }) => {
    const action = await loadAction(engine.database, scope, scope.actor.id, id)
    if (!action) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'AgentAction', id }))
    const [body] = await showActions(engine, scope, [action])
    return ok({ status: 200, body })
  }),

  route(contract.agentListTransactions, (engine, { scope, query }) =>
    readTransactions(engine, scope, { ...query, customerId: [customerOf(scope)] }),
  ),
  route(contract.agentGetTransaction, (engine, { scope, params }) =>
    readTransaction(engine, scope, params.transactionId),
  ),

  route(contract.agentListInternalAccounts, async (engine, { scope, query }) => {
    const agent = await requireActingAgent(engine, scope)
    if (!agent.ok) return agent
    const allowed = agent.value.policy.accountRestrictions?.allowedAccountIds
    return readInternalAccounts(engine, scope, { ...query, customerId: [customerOf(scope)] }, allowed)
  }),

  route(contract.agentListExternalAccounts, (engine, { scope, query }) =>
    readExternalAccounts(engine, scope, query, {
      currency: query.currency,
      customerId: [customerOf(scope)],
      isOfPlatform: false,
    }),
  ),
  route(
    contract.agentCreateExternalAccount,
    (engine, { scope, body }) =>
      registerExternalAccount(engine, scope, { ...body, customerId: customerOf(scope) }),
    { check: checkAccount },
  ),
  route(contract.agentGetExternalAccount, (engine, { scope, params }) =>
    readExternalAccount(engine, scope, 'CUSTOMERS', params.externalAccountId),
  ),
  route(contract.agentDeleteExternalAccount, (engine, { scope, params }) =>
    deleteExternalAccount(engine, scope, 'CUSTOMERS', params.externalAccountId),
  ),

  route(contract.agentCreateQuote, (engine, { scope, body }) => createQuote(engine, scope, body), {
    check: checkQuote,
  }),
  route(contract.agentGetQuote, async (engine, { scope, params }) => {
    const own = await requireOwnQuote(engine, scope, params.quoteId)
    if (!own.ok) return own
    const quote = await readQuote(engine, scope, params.quoteId)
    return quote.ok ? ok({ status: 200, body: renderQuote(quote.value, scope.now) }) : quote
  }),
  route(contract.agentExecuteQuote, (engine, { scope, params, header }) =>
    executeQuote(engine, scope, params.quoteId, header),
  ),

  route(contract.agentCreateTransferOut, (engine, { scope, body }) => {
    const { source, destination, amount, remittanceInformation, purposeOfPayment } = body
    const { accountId, paymentRail } = destination
    const request = {
      source: { accountId: source.accountId },
      destination: { accountId, ...(paymentRail ? { paymentRail } : {}) },
      amount,
      ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
      ...(purposeOfPayment === undefined ? {} : { purposeOfPayment }),
    }
    return transfer(engine, scope, { type: 'TRANSFER_OUT', request })
  }),
  route(contract.agentCreateTransferIn, (engine, { scope, body: { source, destination, amount } }) => {
    const accounts = {
      source: { accountId: source.accountId },
      destination: { accountId: destination.accountId },
    }
    return transfer(engine, scope, { type: 'TRANSFER_IN', request: { ...accounts, amount } })
  }),
]

async function page(
  engine: Engine,
  scope: Scope,
  {
    list,
    name,
    query,
    filters,
  }: {
    readonly list: Pick<typeof actionList, 'read'>
    readonly name: string
    readonly query: PageQuery
    readonly filters: Readonly<Record<string, unknown>>
  },
) {
  const asked = readPage(engine.keys, scope, name, query, filters)
  if (!asked.ok) return asked
  const { rows, totalCount } = await list.read(engine.database, scope, filters, asked.value)
  const shown = new Map((await showActions(engine, scope, rows)).map((action) => [action.id, action]))
  const render = ({ id }: { id: string }) => shown.get(id as never)!
  const body = toPage(engine.keys, scope, name, asked.value, filters, rows, totalCount, render)
  return ok({ status: 200, body })
}
