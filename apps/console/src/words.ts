import type { IconName } from './parts/icon.tsx'

/** All that the console says, in one place. Plain words first; codes stand beside them. */

export const words = {
  pages: {
    home: 'Home',
    payments: 'Payments',
    customers: 'Customers',
    accounts: 'Accounts',
    webhooks: 'Webhooks',
    requests: 'Requests',
    ledger: 'Ledger',
    sandbox: 'Sandbox',
    cards: 'Cards',
    agents: 'Agents',
    stablecoins: 'Stablecoins',
    verifications: 'Verifications',
    documents: 'Documents',
    network: 'Receivers',
    rates: 'Rates',
    settings: 'Settings',
    newQuote: 'New payment',
  },
  ledger: {
    account: 'Ledger account',
    accounts: 'Accounts of the ledger',
    sound: 'Sound.',
    unsound: 'Not sound: the ledger does not add up.',
    checked: 'Checked',
    running: 'The ledger is being recomputed.',
    verify: 'Verify now',
    broken: 'What does not add up',
    rules: { NOT_NEGATIVE: '≥ 0', EITHER_SIGN: 'either sign' },
  },
  operator: {
    word: 'OPERATOR',
    overview: 'Overview',
    platforms: 'Platforms',
    reviews: 'Reviews',
    jobs: 'Dead jobs',
    suspense: 'Suspense',
    auditLog: 'Audit log',
    staff: 'Staff',
    back: 'To the pages of operators',
  },
  shell: {
    skip: 'To the content',
    menu: 'Menu',
    search: 'Search or go to',
    theme: (now: string) => (now === 'dark' ? 'Use light colours' : 'Use dark colours'),
    signOut: 'Sign out',
  },
  live: {
    on: '● Live',
    paused: (waiting: number) => (waiting === 0 ? 'Paused' : `Paused, ${waiting} waiting`),
    stopped: (at: string) =>
      `Live updates stopped at ${at}; trying again. What you see is what was last known.`,
    updates: (count: number) => (count === 1 ? 'One update' : `${count} updates`),
  },
  signIn: {
    title: 'Corridor console',
    clientId: 'Client id',
    clientSecret: 'Client secret',
    key: 'Key of an operator',
    asOperator: 'With the key of an operator',
    asPlatform: 'With the credential of a platform',
    act: 'Sign in',
    acting: 'Signing in',
    refused: 'This is no credential of this installation, or it was revoked. Nothing was signed in.',
    why: {
      OVER: 'You are not signed in any more: the session has ended. Nothing that was asked since then was done.',
      OTHER_PLATFORM:
        'Another platform was signed in to in this browser. Reload to see that one, or sign in to this one again.',
      LINK_OVER: 'This link was used, or is older than ten minutes. Sign in with a credential.',
    },
    again: 'Sign in again',
    whyAgain:
      'A change in production needs a new sign-in. Nothing was changed yet; what you have typed stays.',
    notNow: 'Not now',
    notDone: 'Not done: it needs a new sign-in.',
  },
  palette: {
    title: 'Search or go to',
    label: 'A page, or the id of anything',
    open: (id: string) => `Open ${id}`,
    nothing: 'No page has that name, and it is no id.',
    keys: 'g p payments · g n new payment · g c customers · g a accounts · g w webhooks · g r requests · g l ledger · g s sandbox · j k move · enter open · . show new · y copy',
  },
  states: {
    loading: 'Loading',
    noPage: 'There is no such page.',
    noOptions: 'Nothing to choose from yet',
    stale: (at: string) => `Not up to date since ${at}; trying again. What you see is what was last known.`,
    missing: (id: string) =>
      `Nothing here has the id ${id}. It may belong to another platform or environment.`,
    forbidden: (permission: string) => `Your credential lacks the permission ${permission}.`,
    filteredEmpty: 'Nothing matches these filters.',
    dropFilters: 'Drop the filters',
    retry: 'Try again',
    whatToDo: 'What to do',
    request: 'Request',
    rows: (count: number, isMore: boolean) => `${count}${isMore ? ' or more' : ''} in all`,
  },
} as const

/** Icon, word and colour of each status: never the colour alone. */
export const statuses: Readonly<Record<string, readonly [icon: IconName, word: string, tone: Tone]>> = {
  CREATED: ['idle', 'Created', 'plain'],
  PENDING: ['waiting', 'Pending', 'wait'],
  PENDING_AUTHORIZATION: ['key', 'Needs authorization', 'attention'],
  PROCESSING: ['waiting', 'Processing', 'wait'],
  COMPLETED: ['done', 'Completed', 'ok'],
  REJECTED: ['failed', 'Rejected', 'bad'],
  FAILED: ['failed', 'Failed', 'bad'],
  REFUNDED: ['back', 'Refunded', 'info'],
  EXPIRED: ['expired', 'Expired', 'plain'],
  DELIVERED: ['done', 'Delivered', 'ok'],
  QUEUED: ['waiting', 'Queued', 'wait'],
  RETRYING: ['warning', 'Retrying', 'attention'],
  STORED: ['idle', 'Stored, no endpoint', 'plain'],
  APPROVED: ['done', 'Approved', 'ok'],
  ACTIVE: ['done', 'Active', 'ok'],
  FROZEN: ['warning', 'Frozen', 'attention'],
  CLOSED: ['failed', 'Closed', 'plain'],
  DONE: ['done', 'Done', 'ok'],
  REFUSED: ['warning', 'Refused', 'attention'],
  OPEN: ['waiting', 'Open', 'wait'],
  MATCHED: ['done', 'Name matched', 'ok'],
  PARTIAL_MATCH: ['warning', 'Name partly matched', 'attention'],
  NOT_MATCHED: ['failed', 'Name not matched', 'bad'],
  CHECKED_BY_RECEIVING_FI: ['idle', 'Checked by the bank', 'plain'],
}

export type Tone = 'ok' | 'wait' | 'attention' | 'bad' | 'info' | 'plain'

/** Why a payment did not arrive, as a person would say it. */
export const failures: Readonly<Record<string, string>> = {
  QUOTE_EXPIRED: 'The quote expired before the money came.',
  QUOTE_RATE_UNAVAILABLE: 'There was no rate when it was executed.',
  QUOTE_EXECUTION_FAILED: 'The quote could not be executed.',
  FUNDING_AMOUNT_MISMATCH: 'The amount that came in was not the amount of the quote.',
  SCA_NOT_COMPLETED: 'The customer did not authorize it in time.',
  PAYOUT_RETURNED: 'The receiving bank sent the money back.',
  LIMIT_EXCEEDED: 'It was above a limit.',
  ACCOUNT_CANNOT_RECEIVE: 'The receiving bank refused the money: the account cannot receive it.',
  ACCOUNT_INVALID: 'The receiving account does not exist or its details are wrong.',
  COMPLIANCE_REJECTED: 'It was refused by a compliance check.',
  LIGHTNING_PAYMENT_FAILED: 'The Lightning payment found no way.',
  COUNTERPARTY_POST_TX_FAILED: 'The other institution did not take part to the end.',
  LNURLP_FAILED: 'The sender’s institution got no answer about the receiver.',
  PAY_REQUEST_FAILED: 'The sender’s institution got no payment request.',
  PAYMENT_APPROVAL_WEBHOOK_ERROR: 'Your endpoint did not answer the question for approval.',
  PAYMENT_APPROVAL_TIMED_OUT: 'Nobody approved it in time.',
  OFFRAMP_FAILED: 'The money could not be converted.',
  MISSING_MANDATORY_PAYEE_DATA: 'What the sender’s institution must know of the receiver is missing.',
  COLLECTION_FAILED: 'The money could not be collected.',
}

/** What a payment waits for. */
export const pendingReasons: Readonly<Record<string, string>> = {
  COUNTERPARTY_DECLARATION_REQUIRED: 'It waits for a declaration about the counterparty.',
  WALLET_VERIFICATION_REQUIRED: 'It waits until the wallet is verified.',
  COUNTERPARTY_INFORMATION_REQUIRED: 'It waits for information about the counterparty.',
  COMPLIANCE_REVIEW: 'It waits for a compliance review.',
}
