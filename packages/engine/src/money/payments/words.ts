import type { Keys } from '../../mechanisms/keys/keys.ts'
import { openWords, type StoredWords, wordsColumn } from '../../mechanisms/keys/words.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { Words } from '../../vocabulary/words.ts'
import type { PaymentFlow, Transaction } from './transaction.ts'

export const sealedTransactionWords = wordsColumn('transactions')

type Parts = Pick<Transaction, 'source' | 'flow' | 'details'>

/** What a rail told about who paid (accounts 10.2); what is left says that, when and how much was paid. */
export const aboutPayers = [
  'accountHolderName',
  'accountIdentifier',
  'bankName',
  'bankIdentifier',
  'remittanceInformation',
  'endToEndId',
  'traceNumber',
] as const

/** The members of a transaction that tell of people: its words. All else stands in plain. */
const personal: Readonly<Record<keyof Parts, readonly string[]>> = {
  source: aboutPayers,
  flow: ['remittanceInformation'],
  details: ['description', 'rejectionReason', 'counterpartyInformation'],
}

/** An object without these members, and the members; the object itself where it has none of them. */
export function takeApart<P extends object>(
  whole: P,
  names: readonly string[],
): { rest: P; taken?: Partial<P> } {
  const members = whole as Record<string, unknown>
  const found = names.filter((name) => members[name] !== undefined)
  if (found.length === 0) return { rest: whole }
  const rest = { ...members }
  const taken: Record<string, unknown> = {}
  for (const name of found) {
    taken[name] = rest[name]
    delete rest[name]
  }
  return { rest: rest as P, taken: taken as Partial<P> }
}

/** The parts of a transaction as they are stored: what may stand in plain, and what is sealed beside it. */
export function partsOf(transaction: Transaction): { readonly plain: Parts; readonly words?: Words } {
  const source = takeApart(transaction.source, personal.source)
  const flow = takeApart(transaction.flow, personal.flow)
  const details = takeApart(transaction.details, personal.details)
  const plain = { source: source.rest, flow: flow.rest, details: details.rest }
  if (!source.taken && !flow.taken && !details.taken) return { plain }
  const text = JSON.stringify({ source: source.taken, flow: flow.taken, details: details.taken })
  const of = transaction.flow.onBehalfOf ?? transaction.ownerId
  const ownerId = of === platformOwner ? null : of
  return { plain, words: new Words({ column: sealedTransactionWords, row: transaction.id, ownerId }, text) }
}

/** A row as it was read, with its words where they belong. A row that is only shown has little of its flow, or none. */
export function withWords<R extends Omit<Parts, 'flow'> & { readonly flow: Partial<PaymentFlow> | null }>(
  keys: Keys,
  book: Book,
  row: R & StoredWords,
): R {
  const text = openWords(keys, book, sealedTransactionWords, row)
  if (text === undefined) return row
  const words = JSON.parse(text) as Partial<Parts>
  return {
    ...row,
    source: { ...row.source, ...words.source },
    details: { ...row.details, ...words.details },
    ...(row.flow ? { flow: { ...row.flow, ...words.flow } } : {}),
  }
}
