import { Corridor, formatMoney } from '@corridor/sdk'
import type { Command, Context } from '../command.ts'
import { exit, misused } from '../exit.ts'
import { showOne } from '../output.ts'
import { quoteFor, summaryOf } from '../payments.ts'

export const pay: Command = {
  words: ['pay'],
  says: 'Pay from an account to another: quote, show, ask, execute, wait',
  flags: {
    from: { type: 'string', says: 'InternalAccount:…' },
    to: { type: 'string', says: 'ExternalAccount:… or InternalAccount:…' },
    send: { type: 'string', says: 'what leaves: 1000.00USD' },
    receive: { type: 'string', says: 'what arrives: 920.00EUR' },
    description: { type: 'string', says: 'the text of the payment' },
    'idempotency-key': {
      type: 'string',
      says: 'of quote and execution; repeating it within a day pays once',
    },
    'dry-run': { type: 'boolean', says: 'show the quote and stop' },
    yes: { type: 'boolean', says: 'execute without asking' },
    timeout: { type: 'string', says: 'seconds to wait for its end; 60 by default' },
  },
  async run(context) {
    const { terminal, output } = context
    const client = context.client()
    const from = context.text('from') ?? (await chooseSource(context))
    const to = context.text('to') ?? (await chooseDestination(context))
    const receive = context.text('receive')
    const send =
      context.text('send') ??
      (receive ? undefined : await context.ask('Amount, like 1000.00USD › ', '--send'))
    const seconds = Number(context.text('timeout') ?? '60')
    if (!(seconds >= 0)) throw misused('--timeout is a number of seconds.')
    // The key of an execution is good for its quote alone, so a repetition has to come to the same quote.
    const idempotencyKey = context.text('idempotency-key')
    const wish = { from, to, send, receive, description: context.text('description') }
    const quote = await quoteFor(client, wish, idempotencyKey)
    terminal.note(summaryOf(quote))
    if (context.isSet('dry-run')) {
      showOne(terminal, output, quote)
      return undefined
    }
    await context.guardProduction('A payment')
    await context.confirm('Execute?')
    const key = idempotencyKey ?? `corridor-pay-${quote.id}`
    await client.quotes.execute(quote.id, { idempotencyKey: key }).catch((error: unknown) => {
      if (mayHavePaid(error))
        terminal.note(`It may have been paid: corridor transactions get ${quote.transactionId}`)
      throw error
    })
    const paid = await client.transactions.waitFor(quote.transactionId, { timeoutMs: seconds * 1000 })
    if (output.json || output.jsonl || output.quiet || output.columns) showOne(terminal, output, paid)
    else terminal.out(`${paid.status === 'COMPLETED' ? '✓' : '✕'} ${paid.status}  ${paid.id}`)
    return paid.status === 'COMPLETED' ? exit.done : exit.checkFailed
  },
}

/** Whether there is no answer that says what became of it. Another run without a key would be another payment. */
function mayHavePaid(error: unknown): boolean {
  return error instanceof Corridor.ConnectionError || (error instanceof Corridor.Error && error.status >= 500)
}

const mostChoices = 20

async function chooseSource(context: Context): Promise<string> {
  const client = context.client()
  const accounts = [
    ...(await client.platform.internalAccounts.list().first(mostChoices)),
    ...(await client.customers.internalAccounts.list().first(100)),
  ]
  const filled = accounts.filter(({ balance }) => balance.amount > 0)
  return choose(
    context,
    'From',
    '--from',
    filled.map((account) => ({ id: account.id, text: formatMoney(account.balance) })),
  )
}

async function chooseDestination(context: Context): Promise<string> {
  const accounts = await context.client().customers.externalAccounts.list().first(mostChoices)
  return choose(
    context,
    'To',
    '--to',
    accounts.map(({ id, currency, status }) => ({ id, text: `${currency} ${status}` })),
  )
}

async function choose(
  context: Context,
  title: string,
  flag: string,
  choices: readonly { readonly id: string; readonly text: string }[],
): Promise<string> {
  const few = choices.slice(0, mostChoices)
  for (const [index, { id, text }] of few.entries()) context.terminal.note(`  ${index + 1}  ${id}  ${text}`)
  const answer = (await context.ask(`${title} › `, flag)).trim()
  return few[Number(answer) - 1]?.id ?? answer
}
