import { isCurrencyCode } from '../../reference/currencies/index.ts'
import type { Explanation } from './contract.ts'
import { filledIn, isTold, moneyOf, stepName } from './words.ts'

/** Rows of one table that are written at most; a ticket is read by people. */
const mostRows = 200

/**
 * An explanation as prose for people, in Markdown: for a ticket, or a bank. Of what callers wrote themselves the names of who gave
 * and who received are in it; what could be taken for marks is written as text.
 */
export function explanationMarkdown(explanation: Explanation): string {
  const { subject, sentence, status, derivation, rate, journals, balances, timeline, next, checks, unknown } =
    explanation
  const { answer, why } = status.safeToRetry
  const parts = [
    [`# ${text(subject.id)}`],
    [text(sentence)],
    [
      `- Now: ${text(status.now)} since ${status.since}`,
      `- Waiting for: ${status.waitingFor}${status.expectedBy ? `, ${status.overdue ? 'overdue since' : 'expected by'} ${status.expectedBy}` : ''}`,
      `- Safe to retry: ${answer}: ${text(why)}`,
      ...next.map(
        ({ what, when, doNow }) =>
          `- Next: ${text(what)}${when ? `, ${when}` : ''}${doNow ? `: ${code(doNow)}` : ''}`,
      ),
      `- ${subject.environment}, as of ${subject.asOf}`,
    ],
    table(
      'Derivation',
      ['Step', 'How', 'Amount'],
      derivation.filter(isTold).map((each, index) => {
        const { name, formula, exact, rounding, result, residue, rule } = each
        const filled = filledIn(each)
        const how = formula === name ? text(rule) : `${code(filled)}${filled === exact ? '' : ` = ${exact}`}`
        const rounded = rounding === 'NONE' ? '' : `, ${rounding.toLowerCase().replace('_', ' ')}`
        const left = residue ? `, ${residue.exact} stays in ${code(residue.goesTo)}` : ''
        return [`${index + 1} ${text(stepName(name))}`, `${how}${rounded}${left}`, amountOf(result)]
      }),
    ),
    rate
      ? [
          `Rate ${rate.exact} (receiving minor units per sending minor unit), locked from ${rate.lockedAt} until ${rate.expiresAt}: ${text(rate.source)}.`,
        ]
      : [],
    table(
      'Postings',
      ['At', 'Step', 'From', 'To', 'Amount'],
      journals.flatMap(({ at, step, postings }) =>
        postings.map(({ kind, from, to, value }) => [
          at,
          kind === 'POSTED' ? text(step) : `${text(step)} ${kind}`,
          code(from),
          code(to),
          amountOf(value),
        ]),
      ),
    ),
    (balances ?? []).length === 0
      ? []
      : [
          '## Balances',
          '',
          ...(balances ?? []).map(({ account, currency, changes }) => {
            const of = (amount: string) => amountOf({ amount, currency })
            return `- ${code(account)}: ${changes.map(({ step, before, after }) => `${of(before)} → ${of(after)} by ${text(step)}`).join(', ')}`
          }),
        ],
    table(
      'Timeline',
      ['At', 'What', 'Who', 'Request'],
      timeline.map(({ at, kind, text: what, actor, requestId }) => [
        at,
        `${kind} ${text(what)}`,
        actor ? code(actor) : '',
        requestId ? code(requestId) : '',
      ]),
    ),
    checks.length + unknown.length === 0
      ? []
      : [
          '## Checks',
          '',
          ...checks.map(({ name, holds }) => `- ${holds ? '✓' : '✕'} ${text(name)}`),
          ...unknown.map((what) => `- Not stored: ${text(what)}`),
        ],
  ]
  const lines = parts.filter((part) => part.length > 0).map((part) => part.join('\n'))
  return `${lines.join('\n\n')}\n`
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const left = rows.length - mostRows
  return [
    `## ${title}`,
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.slice(0, mostRows).map(line),
    ...(left > 0 ? ['', `And ${left} more.`] : []),
  ]
}

function amountOf({ amount, currency }: { readonly amount: string; readonly currency: string }): string {
  const minor = BigInt(amount)
  if (!isCurrencyCode(currency)) return `${amount} ${text(currency)}`
  return `${minor < 0n ? '−' : ''}${moneyOf(minor < 0n ? -minor : minor, currency)}`
}

/** Nothing in it is a mark, ends a cell, or begins a line. */
function text(value: string): string {
  return value.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_[\]<>|#]/g, '\\$&')
}

function code(value: string): string {
  return `\`${value.replaceAll(/[`|\r\n]/g, ' ')}\``
}
