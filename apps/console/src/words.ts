import type { ReactNode } from 'react'
import { rich, t } from './language/t.ts'
import type { IconName } from './parts/icon.tsx'

/** All that the console says, in one place. Plain words first; codes stand beside them. */

export const words = {
  listen: 'corridor listen --forward-to localhost:3000/hooks',
  envFile: t('{name} file', { name: '.env' }),
  pages: {
    home: t('Home'),
    payments: t('Payments'),
    customers: t('Customers'),
    accounts: t('Accounts'),
    receivables: t('Receivables'),
    webhooks: t('Webhooks'),
    requests: t('Requests'),
    ledger: t('Ledger'),
    sandbox: t('Sandbox'),
    cards: t('Cards'),
    agents: t('Agents'),
    stablecoins: t('Stablecoins'),
    verifications: t('Verifications'),
    documents: t('Documents'),
    network: t('Receivers'),
    rates: t('Rates'),
    settings: t('Settings'),
    faults: t('What fails on purpose'),
    worlds: t('Worlds'),
    moneyIn: t('Money in'),
    inbox: t('Inbox'),
    newQuote: t('New payment'),
  },
  ledger: {
    account: t('Ledger account'),
    accounts: t('Accounts of the ledger'),
    sound: t('Sound.'),
    unsound: t('Not sound: the ledger does not add up.'),
    checked: t('Checked'),
    currencies: (count: number, isSound: boolean) =>
      isSound
        ? t('{count, plural, one {one currency} other {{count} currencies}}, each of which sums to 0', {
            count,
          })
        : t('{count, plural, one {one currency} other {{count} currencies}}', { count }),
    running: t('The ledger is being recomputed.'),
    verify: t('Verify now'),
    broken: t('What does not add up'),
    header: { sound: t('Sound'), unsound: t('Unsound') },
    bar: t('The ledger does not add up. Move no money until somebody has looked.'),
    barOfLog: t('The audit log is not as it was written. The money adds up.'),
    found: (count: number) => t('{count, plural, one {One finding.} other {{count} findings.}}', { count }),
    runbook: t('What to do now'),
    notStopped: t('Nothing is stopped by this alone: payments go on until an operator stops them.'),
    rules: { NOT_NEGATIVE: '≥ 0', EITHER_SIGN: t('either sign') },
  },
  operator: {
    word: t('OPERATOR'),
    overview: t('Overview'),
    platforms: t('Platforms'),
    reviews: t('Reviews'),
    jobs: t('Dead jobs'),
    rails: t('Rails and pauses'),
    suspense: t('Suspense'),
    receivables: t('Receivables'),
    events: t('Events not delivered'),
    stuck: t('Stuck payments'),
    acts: t('What operators can do'),
    reason: t('Reason; it is kept with the decision'),
    reasonFirst: t('Say the reason first.'),
    resend: t('Send again'),
    auditLog: t('Audit log'),
    staff: t('Staff'),
    back: t('To the pages of operators'),
  },
  shell: {
    skip: t('To the content'),
    menu: t('Menu'),
    search: t('Search or go to'),
    theme: (now: string) => (now === 'dark' ? t('Use light colours') : t('Use dark colours')),
    signOut: t('Sign out'),
  },
  copied: {
    done: (id: string) => t('Copied {id}. ', { id }),
    refused: t('Nothing was copied: the browser allows it over https and at localhost alone. '),
  },
  time: {
    frozen: t('frozen'),
    clock: (ahead: number) =>
      ahead === 0
        ? t('The clock of the sandbox')
        : t(
            'The clock of the sandbox, {ahead, plural, one {# second} other {# seconds}} ahead of real time',
            { ahead },
          ),
    there: (at: string) => t('In the sandbox: {at}', { at }),
    outside: (at: string) => t('Outside, with the clock as it is now: {at}', { at }),
    // What may be typed, in any language; a field has no room for more.
    hint: '-2h, yesterday',
    wrong: t('Write {span}, 2026-11-23 or 2026-11-23T09:00Z.', { span: '-2h, yesterday' }),
  },
  view: {
    title: t('View'),
    time: t('Times'),
    times: { local: t('In my time zone'), utc: t('In UTC'), relative: t('From now on') },
    kinds: {
      rows: { label: t('Rows of lists'), values: { comfortable: t('Comfortable'), compact: t('Low') } },
      lists: {
        label: t('Long lists'),
        values: { window: t('Scrolled in one piece'), pages: t('As pages, for screen readers') },
      },
      keys: { label: t('Shortcuts of one letter'), values: { on: t('On'), off: t('Off') } },
    },
    language: t('Language'),
    languages: { en: 'English', 'en-XA': 'Pseudo (for tests)' },
    amounts: t('Amounts'),
    kept: t('The times stand in the address, and are shared with it. The rest stays in this browser.'),
    done: t('Done'),
  },
  faults: {
    none: t('There are no faults.'),
    make: t('Make something fail'),
    target: t('Which part'),
    kind: t('In what way'),
    times: t('How many times; empty: until it is ended'),
    probability: t('Probability, from 0 to 1'),
    after: t('How many are let pass first'),
    hidden: t('Say nothing of it in answers and explanations'),
    targets: {
      API: t('The API'),
      RAIL: t('Rails'),
      WEBHOOK: t('Webhooks'),
      RATES: t('Rates'),
      MESSAGING: t('Messages'),
      IDENTITY: t('Identity checks'),
      UMA: t('UMA'),
    } as Readonly<Record<string, string>>,
    fields: {
      operationId: t('Only this operation'),
      railId: t('Only this rail'),
      eventType: t('Only events of this type'),
      customerId: t('Only of this customer (id)'),
      accountId: t('Only of this account (id)'),
      minAmount: t('Only from this amount on, in minor units'),
      ms: t('Milliseconds'),
      distribution: t('Always as long, or with a long tail'),
      bytesPerSecond: t('Bytes in a second'),
      status: t('Status of the answer'),
      code: t('Code of the error'),
      retryAfter: t('Come back after seconds'),
      copies: t('How many copies'),
      order: t('One after the other, or all at once'),
      seconds: t('Seconds of the clock'),
      outcome: t('What becomes of the payment'),
      bps: t('Hundredths of a percent'),
      n: t('How many change places'),
    } as Readonly<Record<string, string>>,
    create: t('Let it fail'),
    endAll: t('End all'),
    surelyEndAll: t('Yes, end all that fails on purpose'),
    hits: t('What it has hit'),
    noHits: t('It has hit nothing yet.'),
    noneLeft: t('nothing'),
    left: (left: number | undefined) =>
      left === undefined ? t('until it is ended') : left === 0 ? t('over') : t('{left} left', { left }),
  },
  worlds: {
    what: t(
      'A fork goes on by itself, at an address of its own, with the same credentials. A snapshot is the sandbox as it was. What happened since a snapshot is gone once it is restored, for everybody. Whoever is signed in stays so.',
    ),
    off: t('Forks and snapshots are switched off. To start a server with them:'),
    needs: t(
      'CORRIDOR_WORLDS needs CORRIDOR_ROLE=all, one process that does everything, and an installation without production platforms.',
    ),
    from: t('What it is a copy of'),
    asItIs: t('Everything as it is now'),
    ofSnapshot: (name: string) => t('The snapshot {name}', { name }),
    forks: t('Forks'),
    fork: t('Fork'),
    noForks: t('No forks.'),
    snapshots: t('Snapshots'),
    take: t('Take a snapshot'),
    noSnapshots: t('No snapshots.'),
    name: (word: string) => t('{word}: its name, of a to z, 0 to 9 and -', { word }),
    remove: t('Remove'),
    surelyRemove: (name: string) => t('Remove {name} for good', { name }),
    restore: t('Restore'),
    surelyRestore: (name: string) => t('Make everything as it was in {name}', { name }),
    reset: t('Reset'),
    surelyReset: t('Make everything as it was at the start'),
  },
  live: {
    on: t('● Live'),
    paused: (waiting: number) => (waiting === 0 ? t('Paused') : t('Paused, {waiting} waiting', { waiting })),
    stopped: (at: string) =>
      t(
        'Live updates stopped at {at} by your own clock; trying again. What you see is what was last known.',
        { at },
      ),
    updates: (count: number) => t('{count, plural, one {One update} other {{count} updates}}', { count }),
  },
  signIn: {
    title: t('Corridor console'),
    clientId: t('Client id'),
    clientSecret: t('Client secret'),
    key: t('Key of an operator'),
    asOperator: t('With the key of an operator'),
    asPlatform: t('With the credential of a platform'),
    act: t('Sign in'),
    acting: t('Signing in'),
    refused: t('This is no credential of this installation, or it was revoked. You were not signed in.'),
    mayBeCode: t(
      'It may be the code of a new account, which is no key: it makes one, once and within three days. Whoever it is for sends this, copied with the code in it:',
    ),
    why: {
      OVER: t(
        'You are not signed in any more: the session has ended. Nothing that was asked since then was done.',
      ),
      OTHER_PLATFORM: t(
        'Another platform was signed in to in this browser. Reload to see that one, or sign in to this one again.',
      ),
      LINK_OVER: t('This link was used, or is older than ten minutes. Sign in with a credential.'),
    },
    which: (here: string, now: string | undefined) =>
      now === undefined
        ? t('This page shows {here}.', { here })
        : t('This page shows {here}; who is signed in now sees {now}.', { here, now }),
    again: t('Sign in again'),
    whyAgain: t(
      'A change in production needs a new sign-in. Nothing was changed yet; what you have typed stays.',
    ),
    notNow: t('Not now'),
    notDone: t('Not done: it needs a new sign-in.'),
  },
  gate: {
    title: t('Another environment'),
    refused: ({ asked, own }: { readonly asked: string; readonly own: string }) =>
      t('This address is of {asked}, and you are signed in to {own}. Nothing is shown of either here.', {
        asked,
        own,
      }),
    own: (name: string) => t('Go to {name}', { name }),
    another: (name: string) => t('Sign in to {name}', { name }),
  },
  palette: {
    title: t('Search or go to'),
    label: t('A page, something to do, or anything by an id, name, number, reference or amount'),
    pageLabel: t('A page'),
    open: (id: string) => t('Open {id}', { id }),
    found: t('Found'),
    asking: t('Looking'),
    count: (count: number) => t('{count, plural, one {One found} other {{count} found}}', { count }),
    nothing: t('Nothing is called so or has that value. Names and numbers are found whole.'),
    noPage: t('No page has that name.'),
    id: t('By its id'),
    pages: t('Pages'),
    acts: t('On this page'),
    sandbox: t('Sandbox'),
    console: t('Console'),
    docs: t('Documentation'),
    allDocs: t('All of the documentation'),
    kinds: {
      Customer: t('Customers'),
      Transaction: t('Payments'),
      Quote: t('Quotes'),
      ExternalAccount: t('External accounts'),
      InternalAccount: t('Balances'),
      Card: t('Cards'),
      CardTransaction: t('Card payments'),
      Receivable: t('Receivables'),
      Webhook: t('Webhooks'),
      Request: t('Requests'),
      Verification: t('Verifications'),
      BeneficialOwner: t('Beneficial owners'),
      Document: t('Documents'),
      Agent: t('Agents'),
      DelegatedKey: t('Delegated keys'),
      Stablecoin: t('Stablecoins'),
      StablecoinOperation: t('Mints and burns'),
      StablecoinProviderAccount: t('Stablecoin providers'),
      Token: t('Tokens'),
      Job: t('Imports'),
      Fault: t('Faults'),
    } as Readonly<Record<string, string>>,
    by: {
      EMAIL: t('has this e-mail'),
      PHONE_NUMBER: t('has this phone number'),
      ACCOUNT_NUMBER: t('has this number'),
    } as Readonly<Record<string, string>>,
    /** Of the page that is shown: not each has something to explain. */
    keys: (isExplained: boolean) =>
      isExplained
        ? t(
            '↑ ↓ choose · enter open · esc close · on pages: g p payments · g n new payment · g c customers · g a accounts · g w webhooks · g r requests · g l ledger · g s sandbox · j k move · space select · x export · e explain · c copy the id · y copy as · r resend · . show new · / filter',
          )
        : t(
            '↑ ↓ choose · enter open · esc close · on pages: g p payments · g n new payment · g c customers · g a accounts · g w webhooks · g r requests · g l ledger · g s sandbox · j k move · space select · x export · c copy the id · y copy as · r resend · . show new · / filter',
          ),
  },
  lists: {
    export: t('Export CSV'),
    stopExport: t('Stop the export'),
    exporting: (rows: number) => t('{rows} read', { rows }),
    exported: (rows: number, isCut: boolean) =>
      isCut
        ? t('The first {rows} are in the file; there are more.', { rows })
        : t('{rows, plural, one {One is in the file.} other {# are in the file.}}', { rows }),
    views: t('Saved views'),
    all: t('All'),
    saveView: t('Save this view'),
    viewName: t('Its name'),
    keepView: t('Save'),
    noView: t('Do not save'),
    forget: (name: string) => t('Forget {name}', { name }),
  },
  states: {
    loading: t('Loading'),
    slow: t('This takes longer than usual.'),
    slowCall: (what: string, requestId: string) =>
      t('It waits for {what} · request {requestId}', { what, requestId }),
    noPage: t('There is no such page.'),
    noOptions: t('Nothing to choose from yet'),
    another: t('Another one'),
    stale: (at: string) =>
      t('Not up to date since {at}; trying again. What you see is what was last known.', { at }),
    missing: (id: string, where: string) =>
      where === ''
        ? t('Nothing here has the id {id}. It may belong to another platform or environment.', { id })
        : t(
            'Nothing here has the id {id}. It may belong to another platform or environment: this is {where}.',
            { id, where },
          ),
    forbidden: (permission: string) =>
      t('Your credential lacks the permission {permission}.', { permission }),
    otherArea: t('Your credential is held to other parts of the API: this one is in none of its areas.'),
    filteredEmpty: t('Nothing matches these filters.'),
    dropFilters: t('Drop the filters'),
    drop: (label: string, value: string) => t('Drop “{label}: {value}”', { label, value }),
    leavesNothing: (isAlone: boolean) =>
      isAlone ? t('It lets nothing through.') : t('It lets nothing through: without it there is something.'),
    retry: t('Try again'),
    broken: t('This part of the page broke. What else is on the page still holds.'),
    noAnswer: t('The server gives no answer.'),
    brokenPage: t('This page could not be shown.'),
    whatToDo: t('What to do'),
    request: t('Request'),
    page: (first: number, last: number) => t('Rows {first} to {last}', { first, last }),
    before: t('Page before'),
    next: t('Next page'),
    rows: (count: number, isMore: boolean, all?: number) => {
      if (isMore) return t('{count, number} or more in all', { count })
      if (all === undefined || all < count) return t('{count, number} in all', { count })
      return all === 10_000
        ? t('{count, number} of {all, number} or more', { count, all })
        : t('{count, number} of {all, number}', { count, all })
    },
  },
} as const

/** Icon, word and colour of each status: never the colour alone. */
export const statuses: Readonly<Record<string, readonly [icon: IconName, word: string, tone: Tone]>> = {
  CREATED: ['idle', t('Created'), 'plain'],
  PENDING: ['waiting', t('Pending'), 'wait'],
  PENDING_AUTHORIZATION: ['key', t('Needs authorization'), 'attention'],
  PROCESSING: ['waiting', t('Processing'), 'wait'],
  COMPLETED: ['done', t('Completed'), 'ok'],
  REJECTED: ['failed', t('Rejected'), 'bad'],
  FAILED: ['failed', t('Failed'), 'bad'],
  REFUNDED: ['back', t('Refunded'), 'info'],
  EXPIRED: ['expired', t('Expired'), 'plain'],
  DELIVERED: ['done', t('Delivered'), 'ok'],
  QUEUED: ['waiting', t('Queued'), 'wait'],
  RETRYING: ['warning', t('Retrying'), 'attention'],
  STORED: ['idle', t('Stored, no endpoint'), 'plain'],
  APPROVED: ['done', t('Approved'), 'ok'],
  VERIFIED: ['done', t('Verified'), 'ok'],
  SENT: ['done', t('Sent'), 'ok'],
  ACTIVE: ['done', t('Active'), 'ok'],
  FROZEN: ['warning', t('Frozen'), 'attention'],
  CLOSED: ['failed', t('Closed'), 'plain'],
  DONE: ['done', t('Done'), 'ok'],
  REFUSED: ['warning', t('Refused'), 'attention'],
  OPEN: ['waiting', t('Open'), 'wait'],
  MATCHED: ['done', t('Name matched'), 'ok'],
  PARTIAL_MATCH: ['warning', t('Name partly matched'), 'attention'],
  NOT_MATCHED: ['failed', t('Name not matched'), 'bad'],
  CHECKED_BY_RECEIVING_FI: ['idle', t('Checked by the bank'), 'plain'],
  AUTHORIZED: ['waiting', t('Authorized'), 'wait'],
  PARTIALLY_SETTLED: ['waiting', t('Partially settled'), 'wait'],
  SETTLED: ['done', t('Settled'), 'ok'],
  EXCEPTION: ['warning', t('Exception'), 'attention'],
  PAUSED: ['warning', t('Paused'), 'attention'],
  PROVISIONED: ['done', t('Provisioned'), 'ok'],
  ENABLED: ['done', t('Enabled'), 'ok'],
  PENDING_APPROVAL: ['key', t('Pending approval'), 'attention'],
  PENDING_FUNDING: ['waiting', t('Pending funding'), 'wait'],
  PENDING_PROVIDER: ['waiting', t('Pending provider'), 'wait'],
  CLAIMED: ['done', t('Claimed'), 'ok'],
  CANCELLED: ['failed', t('Cancelled'), 'plain'],
  REVOKED: ['failed', t('Revoked'), 'plain'],
  INVALID: ['failed', t('Invalid'), 'bad'],
  NOT_ENABLED: ['idle', t('Not enabled'), 'plain'],
  ENABLING: ['waiting', t('Enabling'), 'wait'],
  DISABLED: ['failed', t('Disabled'), 'plain'],
  PENDING_REVIEW: ['waiting', t('Pending review'), 'wait'],
  PROVISIONING: ['waiting', t('Provisioning'), 'wait'],
  UNVERIFIED: ['idle', t('Unverified'), 'plain'],
  HOLD: ['warning', t('Hold'), 'attention'],
  RESOLVE_ERRORS: ['warning', t('Resolve errors'), 'attention'],
  PENDING_MANUAL_REVIEW: ['waiting', t('Pending manual review'), 'wait'],
  IN_PROGRESS: ['waiting', t('In progress'), 'wait'],
  READY_FOR_VERIFICATION: ['idle', t('Ready for verification'), 'plain'],
  INITIATED: ['waiting', t('Initiated'), 'wait'],
  LIVENESS_PASSED: ['done', t('Liveness passed'), 'ok'],
}

export type Tone = 'ok' | 'wait' | 'attention' | 'bad' | 'info' | 'plain'

/** What becomes of the money that goes back, behind the status of its payment. */
export const refundStatuses: Readonly<Record<string, readonly [icon: IconName, word: string, tone: Tone]>> = {
  PENDING: ['back', t('Refund pending'), 'info'],
  COMPLETED: ['back', t('Refunded'), 'info'],
  FAILED: ['warning', t('Refund failed'), 'attention'],
}

/** Why a payment did not arrive, as a person would say it. */
export const failures: Readonly<Record<string, string>> = {
  QUOTE_EXPIRED: t('The quote expired before the money came.'),
  QUOTE_RATE_UNAVAILABLE: t('There was no rate when it was executed.'),
  QUOTE_EXECUTION_FAILED: t('The quote could not be executed.'),
  FUNDING_AMOUNT_MISMATCH: t('The amount that came in was not the amount of the quote.'),
  SCA_NOT_COMPLETED: t('The customer did not authorize it in time.'),
  PAYOUT_RETURNED: t('The receiving bank sent the money back.'),
  LIMIT_EXCEEDED: t('It was above a limit.'),
  ACCOUNT_CANNOT_RECEIVE: t('The receiving bank refused the money: the account cannot receive it.'),
  ACCOUNT_INVALID: t('The receiving account does not exist or its details are wrong.'),
  COMPLIANCE_REJECTED: t('It was refused by a compliance check.'),
  LIGHTNING_PAYMENT_FAILED: t('The Lightning payment found no way.'),
  COUNTERPARTY_POST_TX_FAILED: t('The other institution did not take part to the end.'),
  LNURLP_FAILED: t('The sender’s institution got no answer about the receiver.'),
  PAY_REQUEST_FAILED: t('The sender’s institution got no payment request.'),
  PAYMENT_APPROVAL_WEBHOOK_ERROR: t('Your endpoint did not answer the question for approval.'),
  PAYMENT_APPROVAL_TIMED_OUT: t('Nobody approved it in time.'),
  OFFRAMP_FAILED: t('The money could not be converted.'),
  MISSING_MANDATORY_PAYEE_DATA: t('What the sender’s institution must know of the receiver is missing.'),
  COLLECTION_FAILED: t('The money could not be collected.'),
}

/** The same where it is known whose bank it was. */
export const failuresOfBank: Readonly<Record<string, (who: { readonly to: () => ReactNode }) => ReactNode>> =
  {
    PAYOUT_RETURNED: (who) => rich('The bank of <to></to> sent the money back.', who),
    ACCOUNT_CANNOT_RECEIVE: (who) =>
      rich('The bank of <to></to> refused the money: the account cannot receive it.', who),
    ACCOUNT_INVALID: (who) => rich('The account of <to></to> does not exist or its details are wrong.', who),
  }

/** The same in as few words as a row has room for. */
export const shortFailures: Readonly<Record<string, string>> = {
  QUOTE_EXPIRED: t('quote expired'),
  QUOTE_RATE_UNAVAILABLE: t('no rate'),
  QUOTE_EXECUTION_FAILED: t('could not be executed'),
  FUNDING_AMOUNT_MISMATCH: t('another amount came in'),
  SCA_NOT_COMPLETED: t('not authorized in time'),
  PAYOUT_RETURNED: t('bank sent it back'),
  LIMIT_EXCEEDED: t('above a limit'),
  ACCOUNT_CANNOT_RECEIVE: t('bank refused'),
  ACCOUNT_INVALID: t('account is wrong'),
  COMPLIANCE_REJECTED: t('compliance'),
  LIGHTNING_PAYMENT_FAILED: t('no Lightning route'),
  COUNTERPARTY_POST_TX_FAILED: t('other side left'),
  LNURLP_FAILED: t('no answer on receiver'),
  PAY_REQUEST_FAILED: t('no payment request'),
  PAYMENT_APPROVAL_WEBHOOK_ERROR: t('endpoint did not answer'),
  PAYMENT_APPROVAL_TIMED_OUT: t('not approved in time'),
  OFFRAMP_FAILED: t('not converted'),
  MISSING_MANDATORY_PAYEE_DATA: t('receiver data missing'),
  COLLECTION_FAILED: t('not collected'),
}

/** What a payment waits for. */
export const pendingReasons: Readonly<Record<string, string>> = {
  COUNTERPARTY_DECLARATION_REQUIRED: t('It waits for a declaration about the counterparty.'),
  WALLET_VERIFICATION_REQUIRED: t('It waits until the wallet is verified.'),
  COUNTERPARTY_INFORMATION_REQUIRED: t('It waits for information about the counterparty.'),
  COMPLIANCE_REVIEW: t('It waits for a compliance review.'),
}
