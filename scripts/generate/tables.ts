import { variables } from '../../apps/server/src/variables.ts'
import { cardOrders, cardPurchases, cardSources } from '../../packages/adapters/src/sandbox/card-outcomes.ts'
import {
  beneficiaryOutcomes,
  businessOutcomes,
  identityOutcomes,
  oneTimeCodes,
  ownerOutcomes,
  ownershipOutcomes,
  quoteOutcomes,
  type ScriptedOutcome,
  transferOutcomes,
  umaUsers,
} from '../../packages/adapters/src/sandbox/outcomes.ts'
import {
  enablementSuffix,
  stablecoinCredentials,
  stablecoinOperations,
  stablecoinTokens,
} from '../../packages/adapters/src/sandbox/stablecoin-outcomes.ts'
import { features } from '../../packages/engine/src/assembly/features.ts'
import type { IdentityVerdict } from '../../packages/engine/src/ports/identity.ts'
import type { Rail, Settlement } from '../../packages/engine/src/reference/rails/rail.ts'
import { rails } from '../../packages/engine/src/reference/rails/rails.ts'
import type { Machine } from '../../packages/kernel/src/machine.ts'
import { code, page, table } from './markdown.ts'

/** Pages that show a table of the source as it is. */

export function renderMachines(): string {
  const machines: readonly Machine[] = features.flatMap(({ machines = [] }) => machines)
  const sections = machines.map((machine) => {
    const { name, states, initial, terminal, transitions } = machine
    const arrows = [
      ...initial.map((state) => `  [*] --> ${state}`),
      ...transitions.flatMap(({ from, on, to }) => from.map((state) => `  ${state} --> ${to}: ${on}`)),
      ...terminal.map((state) => `  ${state} --> [*]`),
    ]
    const diagram = ['```mermaid', 'stateDiagram-v2', ...arrows, '```'].join('\n')
    const meanings = table(
      ['State', 'Meaning'],
      Object.entries(states).map(([state, meaning]) => [code(state), meaning]),
    )
    const moves = table(
      ['Move', 'From', 'To', 'Why', 'Event'],
      transitions.map(({ on, from, to, why, emits }) => [
        on,
        from.map(code).join(', '),
        code(to),
        why,
        emits ? code(emits) : '',
      ]),
    )
    return [`## ${name}`, diagram, meanings, moves].join('\n\n')
  })
  return page('States', 'What can become of a resource, and why.', sections)
}

export function renderRails(): string {
  const kinds = {
    BANK: 'Banks',
    MOBILE_MONEY: 'Mobile money',
    CHAIN: 'Chains',
    LIGHTNING: 'Lightning',
    UMA: 'UMA',
  }
  const sections = Object.entries(kinds).map(([kind, title]) => {
    const rows = (rails as readonly Rail[])
      .filter((rail) => rail.kind === kind)
      .map((rail) => [
        code(rail.id),
        rail.name,
        [...rail.currencies, ...(rail.mayCarryAnyFiat ? ['any fiat'] : [])].join(', '),
        rail.countries === 'ANY' ? 'any' : rail.countries.join(', '),
        boundsOf(rail),
        settlementText(rail.settlement),
        rail.remittance ? `${rail.remittance.maxLength} characters` : 'none',
        rail.capabilities.map(code).join(', '),
      ])
    const head = ['Id', 'Name', 'Currencies', 'Countries', 'Bounds', 'Arrives', 'Text', 'Can']
    return `## ${title}\n\n${table(head, rows)}`
  })
  const introduction =
    'What payments travel on. Amounts are in the smallest unit of the currency. Whether an installation has a real client for a rail is up to its adapters; without one a payment is refused with `NOT_IMPLEMENTED`.'
  return page('Rails', introduction, sections)
}

function boundsOf({ minAmountMinor = {}, maxAmountMinor = {} }: Rail): string {
  return [
    ...Object.entries(minAmountMinor).map(([currency, amountMinor]) => `≥ ${amountMinor} ${currency}`),
    ...Object.entries(maxAmountMinor).map(([currency, amountMinor]) => `≤ ${amountMinor} ${currency}`),
  ].join(', ')
}

function settlementText(settlement: Settlement): string {
  switch (settlement.kind) {
    case 'INSTANT':
      return 'at once'
    case 'HOURS':
      return `within ${settlement.hours} h`
    case 'SAME_BUSINESS_DAY':
      return `the same business day until ${settlement.cutOffUtcHour}:00 UTC`
    case 'BUSINESS_DAYS':
      return settlement.days === 1 ? 'the next business day' : `in ${settlement.days} business days`
  }
}

export function renderConfiguration(): string {
  type Variable = { purpose: string; expects: string; default?: string }
  const rows = Object.entries<Variable>(variables).map(([name, variable]) => [
    code(name),
    variable.purpose,
    variable.expects,
    variable.default === undefined ? '' : code(variable.default),
  ])
  const introduction =
    'Environment variables of the server. All are optional, an empty one counts as unset, and every wrong one is reported at start.'
  return page('Configuration', introduction, [table(['Variable', 'Purpose', 'Value', 'Default'], rows)])
}

/** Every variable, commented out: all of them are optional. */
export function renderEnvironmentExample(): string {
  type Variable = { purpose: string; expects: string; default?: string }
  const entries = Object.entries<Variable>(variables).map(([name, { purpose, expects, default: value }]) =>
    [
      ...wrapped(`${purpose} (${expects})`),
      `#${name}=${/^\S*$/.test(value ?? '') ? (value ?? '') : ''}`,
    ].join('\n'),
  )
  const head = [
    '# Generated by `npm run generate`; change the source instead.',
    '# Copy to .env, take away the # where you set something, and start with: node --env-file=.env apps/server/dist/main.js',
  ].join('\n')
  return `${[head, ...entries].join('\n\n')}\n`
}

function wrapped(text: string): string[] {
  return (text.replaceAll('`', '').match(/.{1,110}(\s|$)/g) ?? []).map((line) => `# ${line.trim()}`)
}

export function renderSandboxGuide(): string {
  const rowsOf = (outcomes: Readonly<Record<string, ScriptedOutcome>>) =>
    Object.entries(outcomes).map(([suffix, { meaning }]) => [code(suffix), meaning])
  const meaningsOf = (outcomes: Readonly<Record<string, { readonly meaning: string }>>) =>
    Object.entries(outcomes).map(([suffix, { meaning }]) => [code(suffix), meaning])
  const names = Object.entries(beneficiaryOutcomes).map(([suffix, { status, meaning }]) => [
    code(suffix),
    status === 'INVALID_ACCOUNT' ? '' : code(status),
    meaning,
  ])
  const individuals = Object.entries(identityOutcomes).map(([suffix, { status, submitted, meaning }]) => [
    code(suffix),
    code(status),
    submissionText(submitted),
    meaning,
  ])
  const businesses = Object.entries(businessOutcomes).map(([suffix, { submitted, meaning }]) => [
    code(suffix),
    submissionText(submitted),
    meaning,
  ])
  const owners = Object.entries(ownerOutcomes).map(([suffix, { status, meaning }]) => [
    code(suffix),
    code(status),
    meaning,
  ])
  const codes = Object.entries(oneTimeCodes).map(([use, digits]) => [code(use), code(digits)])
  const people = Object.entries(umaUsers).map(([user, { currency, meaning }]) => [
    code(`$${user}`),
    currency,
    meaning,
  ])
  const head = ['Ends in', 'What happens']
  const other = 'Any other ending: the payment succeeds.'
  return page('The sandbox', sandboxIntroduction, [
    `## Where a quote pays out\n\nThe ending of the destination's identifier.\n\n${table(head, rowsOf(quoteOutcomes))}\n\n${other}`,
    `## Pulls and transfers out\n\nThe ending of the account that is pulled from, or of the destination of a deprecated transfer.\n\n${table(head, rowsOf(transferOutcomes))}\n\n${other}`,
    `## Names of beneficiaries\n\nThe ending of the account number when an external account is created. Any other ending: \`MATCHED\`.\n\n${table(['Ends in', '`beneficiaryVerificationStatus`', 'Meaning'], names)}`,
    `## Who is verified\n\nThe last three characters decide here, blanks at the end aside. ${onboardingIntroduction}`,
    `### Individuals\n\nThe ending of the first \`fullName\` that was given; a later name changes nothing. Any other ending: \`APPROVED\`.\n\n${table(['Ends in', '`kycStatus` when decided at creation', 'Complete submission', 'Meaning'], individuals)}`,
    `### Businesses\n\nThe ending of \`businessInfo.registrationNumber\` when it is submitted, never at creation; once people review it, they decide. Any other ending: \`APPROVED\`.\n\n${table(['Ends in', 'Submission', 'Meaning'], businesses)}`,
    `### Owners\n\nThe ending of \`personalInfo.lastName\` when the business is decided, or at once for those who are added later. Any other ending: \`APPROVED\`.\n\n${table(['Ends in', '`kycStatus`', 'Meaning'], owners)}`,
    `## Codes that people type in\n\nNo e-mail and no SMS leaves. What would have been sent is in \`GET /sandbox/inbox\`, and the codes are always these.\n\n${table(['Use', 'Code'], codes)}`,
    `## Signatures of wallets\n\nNo key is needed: \`${ownershipOutcomes.validSignature}\` stands for a valid signature, in the header \`Service-Wallet-Signature\` and in proofs of who owns an external wallet; everything else about the request is still checked. There, \`${ownershipOutcomes.invalidSignature}\` is an invalid one.`,
    `## Cards\n\nThe last three characters decide. Of \`platformCardId\`, when a card is issued; any other ending is active at once.\n\n${table(head, meaningsOf(cardOrders))}\n\nOf \`platformCustomerId\`, which the ids of the customer's accounts then end in, when an account is to fund a card.\n\n${table(head, meaningsOf(cardSources))}\n\nOf \`merchant.descriptor\`, in simulated purchases.\n\n${table(head, meaningsOf(cardPurchases))}`,
    `## Stablecoins\n\nThe last three characters decide. Of \`apiClientId\`, when a provider account is linked.\n\n${table(head, meaningsOf(stablecoinCredentials))}\n\nOf \`providerTokenIdentifier\`, when a coin is registered. \`${enablementSuffix.suffix}\` also lets its enabling be approved by itself, after ${enablementSuffix.approvedAfterMs / 1000} seconds.\n\n${table(head, meaningsOf(stablecoinTokens))}\n\nOf the \`description\` of a mint or burn; any other completes within two seconds. What waits for funds gets them with \`POST /sandbox/stablecoin-operations/{stablecoinOperationId}/simulate/funding\`.\n\n${table(head, meaningsOf(stablecoinOperations))}`,
    `## Agents\n\nNothing is scripted for agents themselves: what they pay goes by the endings above. Of their device codes one address may try ten times as many as in production. Moving the clock brings the next day of their limits, and ends quotes that wait for an approval: [agents](agents.md).`,
    `## UMA\n\nUsers at \`sandbox.uma.money\`, or at the domains of \`CORRIDOR_SANDBOX_UMA_DOMAINS\`. Customers of every sandbox platform of the installation can be looked up by their own address. With \`POST /sandbox/uma/receive\` they pay your customers: your endpoint is asked first.\n\n${table(['User', 'Receives', 'A payment from or to them'], people)}`,
  ])
}

/** `POST /verifications` shows a rejected document as one error among those of a packet. */
function submissionText(verdict: IdentityVerdict): string {
  if (verdict !== 'POOR_QUALITY_DOCUMENT') return code(verdict)
  return `${code('RESOLVE_ERRORS')} with ${code(verdict)}`
}

const onboardingIntroduction = `On a platform that is neither regulated nor skips paperwork, everybody starts \`UNVERIFIED\`, and only a complete submission (\`POST /verifications\`, or the page behind a link) comes to an outcome; an incomplete one is \`RESOLVE_ERRORS\`. On the others individuals are decided at creation, and businesses whose outcome is final need no paperwork. \`APPROVED\` and \`REJECTED\` are for good.`

const sandboxIntroduction = `Credentials decide the environment: with those of a sandbox platform the same API runs on simulated rails, and no money moves. What becomes of a payment stands in the account it goes to. Take the identifier that the account's institution knows it by (account number, IBAN, CLABE, wallet address), the part before an \`@\` if there is one; its last three characters decide when they are digits.

Each payment goes through its real states, with a pause between the steps (\`CORRIDOR_SANDBOX_STEP_MS\`), and sends real webhooks. The calls below \`/sandbox\` put in the money that would come from outside; they do not exist for production credentials.`
