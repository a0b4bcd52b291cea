import { type Answer, type Caller, type Customer, type MoneyOptions, openStage } from './money-stage.ts'
import { pick, type Random } from './random.ts'

/**
 * Everything that moves money, as random calls of one platform and its operator: payments that are collected, returned, refunded
 * and cancelled, accounts that are frozen and closed, suspense and receivables. The calls need HTTP alone, so that a server in the
 * test and one in a process of its own see the same histories.
 */
const reason = 'The payer called'

export async function openMoney(caller: Caller, random: Random, options: MoneyOptions) {
  const { call, operate, platformId } = caller
  const { hasCards } = options
  const chosen = <T>(list: readonly T[]): T => pick(random, list)
  const isLikely = (percent: number) => random(100) < percent
  let keys = 0
  const key = () => `money-${keys++}`
  /** Payments that a caller was told are under way. */
  const acknowledged = new Set<string>()
  const frozen: string[] = []
  /** Answers by operation and status, so that a history that refuses everything is noticed. */
  const answers: Record<string, number> = {}

  const { customers, own } = await openStage(caller, key, options)
  const all = () => [...customers.flatMap(({ accounts }) => accounts), ...own]
  const inDollars = (customer: Customer) => customer.accounts.find(({ currency }) => currency === 'USD')!
  const amount = () => chosen([1, 99, 1_000, 5_000, 20_000, 40_000]) + random(100)

  function note(what: string, answer: Answer): Answer {
    const name = `${what} ${answer.status}`
    answers[name] = (answers[name] ?? 0) + 1
    return answer
  }

  async function pay(source: object, destinationId: string, more: object = {}): Promise<void> {
    const isAtOnce = isLikely(30) && !('sourceType' in more)
    const body = {
      source,
      destination: { destinationType: 'ACCOUNT', accountId: destinationId },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_000 + amount(),
      ...(isAtOnce ? { immediatelyExecute: true } : {}),
    }
    const quoted = note('quote', await call('POST', '/quotes', body, key()))
    if (quoted.status >= 300) return
    const { id, transactionId, status } = quoted.body
    if (isAtOnce) {
      if (status !== 'PENDING') acknowledged.add(transactionId)
      return
    }
    const executed = note('execute', await call('POST', `/quotes/${id}/execute`, undefined, key()))
    if (executed.status < 300) acknowledged.add(transactionId)
  }
  const from = ({ id }: { readonly id: string }) => ({ sourceType: 'ACCOUNT', accountId: id })

  async function list(path: string, by = call): Promise<{ id: string; status: string }[]> {
    const { status, body } = await by('GET', path)
    return status === 200 ? body.data : []
  }
  const book = `platformId=${platformId}&environment=SANDBOX`

  async function transfer(path: string, source: string, destination: string): Promise<void> {
    const body = { source: { accountId: source }, destination: { accountId: destination }, amount: amount() }
    const answer = note(path, await call('POST', path, body, key()))
    if (answer.status < 300) acknowledged.add(answer.body.id)
  }

  async function paidIn(): Promise<void> {
    const customer = chosen(customers)
    const currency = chosen(['USD', 'USD', 'USDC'])
    const quoted = note(
      'realtime quote',
      await call(
        'POST',
        '/quotes',
        {
          source: {
            sourceType: 'REALTIME_FUNDING',
            customerId: customer.id,
            currency,
            ...(currency === 'USDC' ? { cryptoNetwork: 'SOLANA' } : {}),
          },
          destination: {
            destinationType: 'ACCOUNT',
            accountId: isLikely(50) ? chosen(customer.payees).id : chosen(customer.accounts).id,
          },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: currency === 'USDC' ? 20_000_000 : 2_000 + amount(),
        },
        key(),
      ),
    )
    if (quoted.status >= 300) return
    const { id, transactionId, totalSendingAmount } = quoted.body
    // Half of them pay in something else: more, less, or another currency.
    const differs = isLikely(50) ? chosen([1, totalSendingAmount - 1, totalSendingAmount + 500]) : undefined
    const code = isLikely(85) ? currency : chosen(['USD', 'USDC'])
    const body = { quoteId: id, currencyCode: code, ...(differs ? { currencyAmount: differs } : {}) }
    const sent = note('send', await call('POST', '/sandbox/send', body, key()))
    if (sent.status < 300) acknowledged.add(transactionId)
  }

  async function useCard({ cardId }: Customer): Promise<void> {
    const what = chosen([
      'authorization',
      'authorization',
      'clearing',
      'clearing',
      'return',
      'return_reversal',
      'reversal',
    ])
    const simulate = (body: object) => call('POST', `/sandbox/cards/${cardId}/simulate/${what}`, body, key())
    const merchant = { descriptor: 'CORNER CAFE', mcc: '5814', country: 'US' }
    if (what === 'authorization') {
      note(what, await simulate({ amount: amount(), currency: { code: 'USD' }, merchant }))
      return
    }
    const charges = await list(`/transactions?type=CARD&limit=20`)
    if (charges.length === 0) return
    const cardTransactionId = chosen(charges).id
    note(what, await simulate({ cardTransactionId, ...(what.includes('rever') ? {} : { amount: amount() }) }))
  }

  const actions: readonly (readonly [weight: number, act: () => Promise<void>])[] = [
    // Money that comes in.
    [
      4,
      async () => {
        note(
          'fund',
          await call(
            'POST',
            `/sandbox/internal-accounts/${chosen(all()).id}/fund`,
            { amount: 10_000 + amount() },
            key(),
          ),
        )
      },
    ],
    [
      3,
      async () => {
        const account = chosen(
          customers.flatMap(({ accounts }) => accounts).filter(({ reference }) => reference),
        )
        const isKnown = isLikely(70)
        const body = {
          currency: account.currency,
          amount: amount(),
          railReference: key(),
          reference: isKnown ? account.reference : 'NOBODY',
        }
        note('deposit', await call('POST', '/sandbox/inbound-payments', body))
      },
    ],
    [3, paidIn],
    // Money that is collected, also for others and for the platform.
    [
      5,
      async () => {
        const customer = chosen(customers)
        await pay(from(chosen(customer.banks)), chosen(customer.payees).id)
      },
    ],
    [
      4,
      async () => {
        const customer = chosen(customers)
        await pay(from(chosen(customer.banks)), chosen(chosen(customers).accounts).id)
      },
    ],
    [
      2,
      async () => {
        const customer = chosen(customers)
        await transfer('/transfer-in', chosen(customer.banks).id, inDollars(customer).id)
      },
    ],
    // Money that goes out, or to another account.
    [
      6,
      async () => {
        const customer = chosen(customers)
        await pay(from(inDollars(customer)), chosen(customer.payees).id)
      },
    ],
    [
      3,
      async () => {
        await pay(from(chosen(all())), chosen(all()).id)
      },
    ],
    [
      2,
      async () => {
        const customer = chosen(customers)
        await transfer('/transfer-out', inDollars(customer).id, chosen(customer.dollars).id)
      },
    ],
    [
      3,
      async () => {
        const [first] = [...acknowledged].slice(-random(6) - 1)
        if (first) note('cancel', await call('POST', `/transactions/${first}/cancel`, undefined, key()))
      },
    ],
    // What the operator does about accounts and money without an owner.
    [
      3,
      async () => {
        const { id } = chosen(all())
        note('freeze', await operate('POST', `/internal-accounts/${id}/freeze`))
        frozen.push(id)
      },
    ],
    [
      4,
      async () => {
        const id = frozen.shift()
        if (id) note('release', await operate('POST', `/internal-accounts/${id}/release`))
      },
    ],
    [
      1,
      async () => {
        // Accounts in dollars stay: without them a history would end early.
        const { id } = chosen(all().filter(({ currency }) => currency !== 'USD'))
        note('close', await operate('POST', `/internal-accounts/${id}/close`))
      },
    ],
    [
      3,
      async () => {
        const items = await list(`/suspense?${book}&status=WAITING`, operate)
        if (items.length === 0) return
        const { id, kind } = chosen(items) as { id: string; kind?: string }
        if (kind === 'REFUND') {
          const to = chosen(['RAIL', 'INTERNAL_ACCOUNT'])
          note('resolve refund', await operate('POST', `/transactions/${id}/resolve-refund`, { to, reason }))
        } else if (isLikely(70)) {
          note(
            'assign',
            await operate('POST', `/suspense/${id}/assign`, { accountId: chosen(all()).id, reason }),
          )
        } else note('send back', await operate('POST', `/suspense/${id}/return`, { reason }))
      },
    ],
    // What is owed.
    [
      4,
      async () => {
        const open = (await list('/receivables?limit=50')).filter(({ status }) => status === 'OPEN')
        if (open.length === 0) return
        const { id, customerId } = chosen(open) as { id: string; customerId?: string }
        const owner = customers.find((customer) => customer.id === customerId)
        if (owner && isLikely(60)) {
          const body = { amount: amount() }
          await call('POST', `/sandbox/internal-accounts/${inDollars(owner).id}/fund`, body, key())
        }
        const path = `/receivables/${id}/collect`
        const by = isLikely(50) ? call('POST', path, undefined, key()) : operate('POST', path)
        note('collect', await by)
      },
    ],
    [
      1,
      async () => {
        const open = (await list('/receivables?limit=50')).filter(({ status }) => status === 'OPEN')
        if (open.length === 0) return
        const { id } = chosen(open)
        const writeOff = () => operate('POST', `/receivables/${id}/write-off`, { reason })
        // At the same moment as a collection, in half of them.
        const [written] = await Promise.all([
          writeOff(),
          isLikely(50) ? call('POST', `/receivables/${id}/collect`, undefined, key()) : undefined,
        ])
        note('write off', written)
      },
    ],
    [
      1,
      async () => {
        note('config', await call('PATCH', '/config', { collectsReceivables: isLikely(50) }))
      },
    ],
    ...(hasCards ? [[6, () => useCard(customers[0]!)] as const] : []),
  ]
  const choices = actions.flatMap(([weight, act]) => Array.from({ length: weight }, () => act))

  return {
    acknowledged,
    answers,
    accounts: all,
    act: () => chosen(choices)(),
    /** Accounts can be credited again, so that whatever waits for them goes on. */
    async release(): Promise<void> {
      for (const { id } of all()) await operate('POST', `/internal-accounts/${id}/release`)
    },
  }
}
