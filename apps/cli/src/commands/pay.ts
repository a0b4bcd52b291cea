import type { Command, Context } from '../command.ts'
import { CommandFailure, exit, misused } from '../exit.ts'
import { showOne } from '../output.ts'
import { endOf, executed, isDelivered, type Locked, lockedBy, quoteOf, summaryOf } from '../payments.ts'
import { chooseDestination, chooseSource } from './pay-parties.ts'

export const pay: Command = {
  words: ['pay'],
  says: 'Make a payment: show a quote, execute it after your confirmation, and wait for the result',
  flags: {
    from: { type: 'string', says: 'InternalAccount:…' },
    to: { type: 'string', says: 'ExternalAccount:… or InternalAccount:…' },
    send: { type: 'string', says: 'amount to send, such as 1000.00USD' },
    receive: { type: 'string', says: 'amount to receive, such as 920.00EUR' },
    description: { type: 'string', says: 'remittance information' },
    'idempotency-key': {
      type: 'string',
      says: 'idempotency key for the quote and the payment; using the same key again within a day does not pay twice',
    },
    'dry-run': { type: 'boolean', says: 'show the quote without executing it' },
    yes: { type: 'boolean', says: 'execute without confirmation' },
    timeout: { type: 'string', says: 'seconds to wait for the result (default 60)' },
  },
  async run(context) {
    const { terminal, output } = context
    const client = context.client()
    const from = context.text('from') ?? (await chooseSource(context))
    const to = context.text('to') ?? (await chooseDestination(context))
    const receive = context.text('receive')
    const asked = (context.text('send') ?? receive) ? undefined : await askAmount(context, from)
    const send = context.text('send') ?? asked?.text
    const seconds = Number(context.text('timeout') ?? '60')
    if (!(seconds >= 0)) throw misused('--timeout must be a number of seconds.')
    // The key of an execution is good for its quote alone, so a repetition has to come to the same quote.
    const idempotencyKey = context.text('idempotency-key')
    const wish = { from, to, send, receive, description: context.text('description') }
    const locked = asked?.locked ?? (await lockedBy(client, wish))
    const quote = await quoteOf(client, wish, locked, idempotencyKey)
    terminal.note(summaryOf(quote))
    if (context.isSet('dry-run')) {
      showOne(terminal, output, quote)
      return undefined
    }
    await context.guardProduction('Make a payment')
    await context.confirm('Execute?')
    const key = idempotencyKey ?? `corridor-pay-${quote.id}`
    const paid = await executed(client, quote, {
      idempotencyKey: key,
      timeoutMs: seconds * 1000,
      onDoubt: (doubt) =>
        terminal.note(`${doubt}. Check with: corridor transactions get ${quote.transactionId}`),
    })
    if (output.json || output.jsonl || output.quiet || output.columns) showOne(terminal, output, paid)
    else terminal.out(endOf(paid))
    if (asked || !context.text('from') || !context.text('to')) {
      const amount = send === undefined ? `--receive ${receive}` : `--send ${send.replaceAll(' ', '')}`
      terminal.note(`To repeat without prompts: corridor pay --from ${from} --to ${to} ${amount} --yes`)
    }
    return isDelivered(paid) ? exit.done : exit.checkFailed
  },
}

/** Asks until it can be read, of the account from which it goes. */
async function askAmount(
  context: Context,
  from: string,
): Promise<{ readonly text: string; readonly locked: Locked }> {
  for (;;) {
    const text = (await context.ask('Amount, like 1000.00USD › ', '--send')).trim()
    try {
      return { text, locked: await lockedBy(context.client(), { from, send: text }) }
    } catch (error) {
      if (!(error instanceof RangeError || isMisuse(error))) throw error
      context.terminal.note(`  ${(error as Error).message}`)
    }
  }
}

const isMisuse = (error: unknown) => error instanceof CommandFailure && error.code === exit.usage
