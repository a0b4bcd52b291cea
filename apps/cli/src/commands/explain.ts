import { type Answer, formatMoney } from '@corridor/sdk'
import type { Command } from '../command.ts'
import { exit } from '../exit.ts'
import { filledIn, isTold, stepName, widestName } from '../explanation-words.ts'
import { showOne } from '../output.ts'

export const explain: Command = {
  words: ['explain'],
  takes: 'ID',
  says: 'Explain amounts, a webhook delivery or a request: corridor explain Quote:…, Transaction:…, InternalAccount:…, Webhook:… or a request id',
  flags: { markdown: { type: 'boolean', says: 'print Markdown text for a support ticket' } },
  async run(context) {
    const { terminal, output } = context
    const id = context.argument(0, 'ID')
    if (context.isSet('markdown')) {
      const path = `/explain/${encodeURIComponent(id)}`
      terminal.out((await context.client().text({ method: 'GET', path }, 'text/markdown')).trimEnd())
      return
    }
    const found = await context.client().explain.get(id)
    const fails = found.checks.some(({ holds }) => !holds)
    if (output.json || output.jsonl || output.quiet || output.columns) {
      showOne(terminal, output, found)
      return fails ? exit.checkFailed : undefined
    }
    const { status } = found
    const money = moneyOf(found)
    const isAccount = found.subject.type === 'InternalAccount'
    const lines = [
      found.sentence,
      ...found.derivation.filter(isTold).map((each, index) => {
        const { name, formula, exact, rounding, result, residue, rule } = each
        const round = rounding === 'NONE' ? '' : `, ${rounding.toLowerCase().replace('_', ' ')}`
        const left = residue ? `, ${residue.exact} stays in ${residue.goesTo}` : ''
        const filled = filledIn(each)
        const how = formula === name ? rule : filled === exact ? filled : `${filled} = ${exact}`
        return `${String(index + 1).padStart(3)}  ${stepName(each).padEnd(widestName)}${money(result).padStart(18)}   ${how}${round}${left}`
      }),
      ...(found.rate
        ? [
            `     rate ${found.rate.exact} (receiving minor units per sending minor unit), locked from ${found.rate.lockedAt} until ${found.rate.expiresAt}`,
          ]
        : []),
      ...(isAccount ? [] : found.journals).flatMap(({ at, step, postings }) =>
        postings.map(
          ({ kind, from, to, value }) =>
            `  ${at}  ${step}${kind === 'POSTED' ? '' : ` ${kind}`}  ${from} → ${to}  ${money(value)}`,
        ),
      ),
      // An account, and what has no amounts, is told by what happened, and what failed by its end.
      ...found.timeline
        .filter(
          ({ kind, text }) =>
            isAccount ||
            found.derivation.length === 0 ||
            (kind === 'TRANSITION' && / is (FAILED|REJECTED)\b/.test(text)),
        )
        .map(({ at, text }) => `  ${at}  ${text}`),
      ...found.next.map(
        ({ what, when, doNow }) => `  next: ${what}${when ? `, ${when}` : ''}${doNow ? `: ${doNow}` : ''}`,
      ),
      ...found.checks.map(({ name, holds }) => `  ${holds ? '✓' : '✕'} ${name}`),
      ...found.unknown.map((what) => `  not stored: ${what}`),
      `  safe to retry: ${status.safeToRetry.answer}: ${status.safeToRetry.why}`,
    ]
    for (const line of lines) terminal.out(line)
    return fails ? exit.checkFailed : undefined
  },
}

/** Amounts of an explanation, in minor units, as people write them. */
function moneyOf({ currencies = [] }: Answer<'explain'>) {
  const known = new Map(currencies.map((currency) => [currency.code, currency]))
  return ({ amount, currency: code }: { readonly amount: string; readonly currency: string }): string => {
    const currency = known.get(code)
    return currency ? formatMoney({ amount: BigInt(amount), currency }) : `${amount} minor units of ${code}`
  }
}
