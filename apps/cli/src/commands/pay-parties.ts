import { type Corridor, formatMoney, type Item } from '@corridor/sdk'
import type { Context } from '../command.ts'
import { printable } from '../output.ts'

/** From where to where `corridor pay` pays, where the flags do not say it: by names, so that nobody has to know ids. */

const mostChoices = 20

interface Choice {
  readonly id: string
  /** What it is told by, in columns. */
  readonly parts: readonly string[]
}

export async function chooseSource(context: Context): Promise<string> {
  const client = context.client()
  const accounts = [
    ...(await client.platform.internalAccounts.list().first(mostChoices)),
    ...(await client.customers.internalAccounts.list().first(100)),
  ]
  const filled = accounts.filter(({ balance }) => balance.amount > 0).slice(0, mostChoices)
  const names = await namesOf(
    client,
    filled.map(({ customerId }) => customerId),
  )
  return choose(context, 'From', '--from', {
    choices: filled.map(({ id, customerId, balance }) => ({
      id,
      parts: [ownerOf(names, customerId), `${formatMoney(balance)} available`],
    })),
    ifNone: 'No account has an available balance. Run corridor fund ACCOUNT AMOUNT CURRENCY first.',
  })
}

type Payee = Item<'listCustomerExternalAccounts'>

export async function chooseDestination(context: Context): Promise<string> {
  const accounts = await context.client().customers.externalAccounts.list().first(mostChoices)
  return choose(context, 'To', '--to', {
    choices: accounts.map((account) => ({
      id: account.id,
      parts: [holderOf(account), account.currency, endOf(account), toldOf(account)],
    })),
    ifNone: 'There are no payees. Create one with corridor customers external-accounts create.',
  })
}

/** Asks until the answer is one of the list, or an id. */
async function choose(
  context: Context,
  title: string,
  flag: string,
  { choices, ifNone }: { readonly choices: readonly Choice[]; readonly ifNone: string },
): Promise<string> {
  const { note } = context.terminal
  const widths = (choices[0]?.parts ?? []).map((_, part) =>
    Math.max(...choices.map(({ parts }) => parts[part]!.length)),
  )
  for (const [index, { id, parts }] of choices.entries()) {
    const cells = parts.map((text, part) => text.padEnd(widths[part]!))
    note(`  ${String(index + 1).padStart(2)}  ${cells.join('  ')}  …${id.slice(-6)}`)
  }
  if (choices.length === 0) note(`  ${ifNone}`)
  for (;;) {
    const answer = (await context.ask(`${title} › `, flag)).trim()
    const chosen = choices[Number(answer) - 1]?.id ?? (answer.includes(':') ? answer : undefined)
    if (chosen !== undefined) return chosen
    note(`  ${choices.length > 0 ? `Enter a number from 1 to ${choices.length}, or an id.` : 'Enter an id.'}`)
  }
}

/** Of the customers whose accounts are shown; of the platform itself there is none. */
async function namesOf(
  client: Corridor,
  ids: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const customers = [...new Set(ids.filter((id) => id !== undefined))]
  const found = await Promise.all(customers.map((id) => client.customers.get(id)))
  return new Map(
    found.map((customer) => [
      customer.id,
      customer.customerType === 'BUSINESS'
        ? (customer.businessInfo?.legalName ?? customer.id)
        : (customer.fullName ?? customer.id),
    ]),
  )
}

function ownerOf(names: ReadonlyMap<string, string>, customerId: string | undefined): string {
  return customerId === undefined ? 'the platform' : printable(names.get(customerId) ?? customerId)
}

/** As the owner of an account elsewhere has told it. */
function holderOf({ accountInfo }: Payee): string {
  const { beneficiary } = accountInfo as { beneficiary?: { fullName?: string; legalName?: string } }
  return printable(beneficiary?.fullName ?? beneficiary?.legalName ?? '(no name)')
}

const numberNames = ['iban', 'accountNumber', 'clabeNumber', 'pixKey', 'address', 'phoneNumber', 'invoice']

function endOf({ id, accountInfo }: Payee): string {
  const info = accountInfo as unknown as Readonly<Record<string, unknown>>
  const number = numberNames.map((name) => info[name]).find((value) => typeof value === 'string')
  return `…${printable(String(number ?? id)).slice(-4)}`
}

const checks: Readonly<Record<string, string>> = {
  MATCHED: 'name matched',
  PARTIAL_MATCH: 'similar name',
  NOT_MATCHED: 'different name',
  PENDING: 'name not checked yet',
  UNSUPPORTED: 'name cannot be checked',
  CHECKED_BY_RECEIVING_FI: 'name checked by the receiving bank',
}

/** What was found of the name, and what stands in the way. */
function toldOf({ beneficiaryVerificationStatus: check, status }: Payee): string {
  const told = check === undefined ? [] : [checks[check] ?? check]
  return [...told, ...(status === 'ACTIVE' ? [] : [status])].join(', ')
}
