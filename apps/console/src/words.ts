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
    faults: t('Fault injection'),
    worlds: t('Worlds'),
    moneyIn: t('Money in'),
    inbox: t('Inbox'),
    newQuote: t('New payment'),
  },
  ledger: {
    account: t('Ledger account'),
    accounts: t('Accounts of the ledger'),
    sound: t('Sound.'),
    unsound: t('The audit found problems in the ledger.'),
    checked: t('Checked'),
    currencies: (count: number, isSound: boolean) =>
      isSound
        ? t('{count, plural, one {one currency} other {{count} currencies}}, each of which sums to 0', {
            count,
          })
        : t('{count, plural, one {one currency} other {{count} currencies}}', { count }),
    running: t('The ledger is being recomputed.'),
    verify: t('Verify now'),
    broken: t('What does not balance'),
    header: { sound: t('Sound'), unsound: t('Unsound') },
    bar: t('The ledger does not balance. Move no money until you have found the cause.'),
    barOfLog: t('The audit log was changed. The ledger balances.'),
    found: (count: number) => t('{count, plural, one {One finding.} other {{count} findings.}}', { count }),
    runbook: t('What to do now'),
    notStopped: t('Payments continue until an operator stops them.'),
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
    reason: t('Reason, stored with the decision'),
    reasonFirst: t('Enter a reason first.'),
    resend: t('Send again'),
    auditLog: t('Audit log'),
    staff: t('Staff'),
    back: t('To the operator pages'),
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
    refused: t('Not copied: the browser allows it only over https and on localhost. '),
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
        values: { window: t('Continuous scrolling'), pages: t('As pages, for screen readers') },
      },
      keys: { label: t('Single-key shortcuts'), values: { on: t('On'), off: t('Off') } },
    },
    language: t('Language'),
    languages: { en: 'English', 'en-XA': 'Pseudo (for tests)' },
    amounts: t('Amounts'),
    kept: t(
      'The page address contains the period, so a shared link includes it. The other settings stay in this browser.',
    ),
    done: t('Done'),
  },
  faults: {
    none: t('No faults.'),
    make: t('Make something fail'),
    target: t('Which part'),
    kind: t('In what way'),
    times: t('Number of hits; empty: no limit'),
    probability: t('Probability, from 0 to 1'),
    after: t('Matches to skip first'),
    hidden: t('Hide it in responses and explanations'),
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
      customerId: t('Only this customer (id)'),
      accountId: t('Only this account (id)'),
      minAmount: t('Minimum amount, in minor units'),
      ms: t('Milliseconds'),
      distribution: t('Fixed delay, or with a long tail'),
      bytesPerSecond: t('Bytes per second'),
      status: t('Response status'),
      code: t('Error code'),
      retryAfter: t('Retry after (seconds)'),
      copies: t('How many copies'),
      order: t('One by one, or all at once'),
      seconds: t('Seconds on the clock'),
      outcome: t('Outcome of the payment'),
      bps: t('Hundredths of a percent'),
      n: t('Number of items to reorder'),
    } as Readonly<Record<string, string>>,
    create: t('Let it fail'),
    endAll: t('End all'),
    surelyEndAll: t('Yes, delete all faults'),
    hits: t('What it has hit'),
    noHits: t('It has no hits yet.'),
    noneLeft: t('nothing'),
    left: (left: number | undefined) =>
      left === undefined ? t('until you delete it') : left === 0 ? t('over') : t('{left} left', { left }),
  },
  worlds: {
    what: t(
      'A fork is an independent copy with its own address and the same credentials. A snapshot is a saved state. Restoring a snapshot discards later changes for all users. Sessions stay signed in.',
    ),
    off: t('Forks and snapshots are disabled. To start a server with them:'),
    needs: t(
      'CORRIDOR_WORLDS needs CORRIDOR_ROLE=all, a single process, and an installation without production platforms.',
    ),
    from: t('Copied from'),
    asItIs: t('Everything as it is now'),
    ofSnapshot: (name: string) => t('The snapshot {name}', { name }),
    forks: t('Forks'),
    fork: t('Fork'),
    noForks: t('No forks.'),
    snapshots: t('Snapshots'),
    take: t('Take a snapshot'),
    noSnapshots: t('No snapshots.'),
    name: (word: string) => t('{word}: its name, with a to z, 0 to 9 and -', { word }),
    remove: t('Remove'),
    surelyRemove: (name: string) => t('Remove {name} for good', { name }),
    restore: t('Restore'),
    surelyRestore: (name: string) => t('Restore {name}', { name }),
    reset: t('Reset'),
    surelyReset: t('Reset to the start'),
  },
  live: {
    on: t('● Live'),
    paused: (waiting: number) => (waiting === 0 ? t('Paused') : t('Paused, {waiting} waiting', { waiting })),
    stopped: (at: string) =>
      t('Live updates stopped at {at} (your clock). Reconnecting. You see the last known state.', { at }),
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
    refused: t('This credential does not exist or was revoked. You are not signed in.'),
    mayBeCode: t(
      'If this is a join code, exchange it for a key first. It works once, within three days. The new operator sends this request (copying includes the code):',
    ),
    why: {
      OVER: t('Your session has ended, and you are signed out. Requests since then had no effect.'),
      OTHER_PLATFORM: t(
        'This browser is now signed in to another platform. Reload to see it, or sign in to this one again.',
      ),
      LINK_OVER: t('This link was already used, or is older than ten minutes. Sign in with a credential.'),
    },
    which: (here: string, now: string | undefined) =>
      now === undefined
        ? t('This page shows {here}.', { here })
        : t('This page shows {here}; you are now signed in to {now}.', { here, now }),
    again: t('Sign in again'),
    whyAgain: t(
      'A change in production needs a new sign-in. Nothing has changed yet, and your input is kept.',
    ),
    notNow: t('Not now'),
    notDone: t('Not done: sign in again first.'),
  },
  gate: {
    title: t('Another environment'),
    refused: ({ asked, own }: { readonly asked: string; readonly own: string }) =>
      t('This address belongs to {asked}, but you are signed in to {own}. This page shows data of neither.', {
        asked,
        own,
      }),
    own: (name: string) => t('Go to {name}', { name }),
    another: (name: string) => t('Sign in to {name}', { name }),
  },
  palette: {
    title: t('Search or go to'),
    label: t('A page, an action, or any id, name, number, reference or amount'),
    pageLabel: t('A page'),
    open: (id: string) => t('Open {id}', { id }),
    found: t('Found'),
    asking: t('Looking'),
    count: (count: number) => t('{count, plural, one {One found} other {{count} found}}', { count }),
    nothing: t('No results. Enter names and numbers in full.'),
    noPage: t('No page has this name.'),
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
        ? t('The first {rows} rows exported. There are more.', { rows })
        : t('{rows, plural, one {# row exported.} other {# rows exported.}}', { rows }),
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
    noPage: t('This page does not exist.'),
    noOptions: t('Nothing to choose from yet'),
    another: t('Another one'),
    stale: (at: string) =>
      t('Not up to date since {at}; reconnecting. You see the last known state.', { at }),
    missing: (id: string, where: string) =>
      where === ''
        ? t('No resource has the id {id}. It may belong to another platform or environment.', { id })
        : t(
            'No resource has the id {id}. It may belong to another platform or environment: this is {where}.',
            { id, where },
          ),
    forbidden: (permission: string) =>
      t('Your credential lacks the permission {permission}.', { permission }),
    otherArea: t('Your credential is limited to other areas of the API.'),
    filteredEmpty: t('Nothing matches these filters.'),
    dropFilters: t('Drop the filters'),
    drop: (label: string, value: string) => t('Drop “{label}: {value}”', { label, value }),
    leavesNothing: (isAlone: boolean) =>
      isAlone ? t('It matches nothing.') : t('It matches nothing. Without it, there are results.'),
    retry: t('Try again'),
    broken: t('This part of the page failed. The rest of the page is still valid.'),
    noAnswer: t('The server does not respond.'),
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
  WRITTEN_OFF: ['failed', t('Written off'), 'plain'],
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
  QUOTE_EXPIRED: t('The quote expired before the money arrived.'),
  QUOTE_RATE_UNAVAILABLE: t('No rate was available at execution.'),
  QUOTE_EXECUTION_FAILED: t('The quote could not be executed.'),
  FUNDING_AMOUNT_MISMATCH: t('The received amount differs from the amount of the quote.'),
  SCA_NOT_COMPLETED: t('The customer did not authorize it in time.'),
  PAYOUT_RETURNED: t('The receiving bank sent the money back.'),
  LIMIT_EXCEEDED: t('The payment exceeded a limit.'),
  ACCOUNT_CANNOT_RECEIVE: t('The receiving bank rejected the money: the account cannot receive it.'),
  ACCOUNT_INVALID: t('The receiving account does not exist or its details are wrong.'),
  COMPLIANCE_REJECTED: t('A compliance check rejected it.'),
  LIGHTNING_PAYMENT_FAILED: t('The Lightning payment found no route.'),
  COUNTERPARTY_POST_TX_FAILED: t('The other institution did not complete the payment.'),
  LNURLP_FAILED: t('The sender’s institution got no response about the receiver.'),
  PAY_REQUEST_FAILED: t('The sender’s institution received no payment request.'),
  PAYMENT_APPROVAL_WEBHOOK_ERROR: t('Your endpoint did not respond to the approval webhook.'),
  PAYMENT_APPROVAL_TIMED_OUT: t('It was not approved in time.'),
  OFFRAMP_FAILED: t('The money could not be converted.'),
  MISSING_MANDATORY_PAYEE_DATA: t(
    'Information about the receiver that the sender’s institution requires is missing.',
  ),
  COLLECTION_FAILED: t('The money could not be collected.'),
}

/** The same where it is known whose bank it was. */
export const failuresOfBank: Readonly<Record<string, (who: { readonly to: () => ReactNode }) => ReactNode>> =
  {
    PAYOUT_RETURNED: (who) => rich('The bank of <to></to> sent the money back.', who),
    ACCOUNT_CANNOT_RECEIVE: (who) =>
      rich('The bank of <to></to> rejected the money: the account cannot receive it.', who),
    ACCOUNT_INVALID: (who) => rich('The account of <to></to> does not exist or its details are wrong.', who),
  }

/** The same in as few words as a row has room for. */
export const shortFailures: Readonly<Record<string, string>> = {
  QUOTE_EXPIRED: t('quote expired'),
  QUOTE_RATE_UNAVAILABLE: t('no rate'),
  QUOTE_EXECUTION_FAILED: t('could not be executed'),
  FUNDING_AMOUNT_MISMATCH: t('another amount arrived'),
  SCA_NOT_COMPLETED: t('not authorized in time'),
  PAYOUT_RETURNED: t('bank sent it back'),
  LIMIT_EXCEEDED: t('above a limit'),
  ACCOUNT_CANNOT_RECEIVE: t('bank rejected'),
  ACCOUNT_INVALID: t('account is wrong'),
  COMPLIANCE_REJECTED: t('compliance'),
  LIGHTNING_PAYMENT_FAILED: t('no Lightning route'),
  COUNTERPARTY_POST_TX_FAILED: t('other side left'),
  LNURLP_FAILED: t('no response about the receiver'),
  PAY_REQUEST_FAILED: t('no payment request'),
  PAYMENT_APPROVAL_WEBHOOK_ERROR: t('endpoint did not respond'),
  PAYMENT_APPROVAL_TIMED_OUT: t('not approved in time'),
  OFFRAMP_FAILED: t('not converted'),
  MISSING_MANDATORY_PAYEE_DATA: t('receiver data missing'),
  COLLECTION_FAILED: t('not collected'),
}

/** What a payment waits for. */
export const pendingReasons: Readonly<Record<string, string>> = {
  COUNTERPARTY_DECLARATION_REQUIRED: t('Waiting for a declaration about the counterparty.'),
  WALLET_VERIFICATION_REQUIRED: t('Waiting for the verification of the wallet.'),
  COUNTERPARTY_INFORMATION_REQUIRED: t('Waiting for information about the counterparty.'),
  COMPLIANCE_REVIEW: t('Waiting for a compliance review.'),
}
