import type { Answer } from '@corridor/sdk/index.ts'
import { t } from '../../language/t.ts'

/** What happens by itself in a sandbox, as a person would say it; what is new to the console is named as the API does. */
const happenings: Readonly<Record<string, string>> = {
  'quotes.expire': t('quote expires'),
  'quotes.expireAuthorization': t('authorization expires'),
  'payments.advance': t('payment goes on'),
  'webhooks.deliver': t('webhook is sent again'),
  'invitations.expire': t('invitation expires'),
  'cards.provision': t('card is issued'),
  'cards.pull': t('card payment is charged'),
  'cards.expire': t('card authorization expires'),
  'customers.deleted': t('accounts of a deleted customer are closed'),
  'customers.hash': t('customer is indexed for searches'),
  'externalAccounts.hash': t('external account is indexed for searches'),
  'externalAccounts.liveness': t('external account is checked again'),
  'documents.removeFile': t('file of a document is removed'),
  'stablecoins.recheck': t('credentials at a provider are checked again'),
  'stablecoins.issuance': t('stablecoin is checked again'),
  'stablecoins.enable': t('stablecoin is enabled'),
  'stablecoins.operation': t('provider is queried about a mint or burn'),
  'suspense.replay': t('money in suspense is checked again'),
  'uma.timeOut': t('approval webhook times out'),
  'uma.refuse': t('incoming payment is refused'),
  'uma.settle': t('incoming payment is settled'),
  'uma.expire': t('incoming payment expires'),
  'uma.collect': t('incoming payment is collected'),
  'uma.payOn': t('incoming payment is paid on'),
  'uma.tellPeer': t('other institution is notified'),
  'faults.forget': t('ended fault is removed'),
}

/** `quote expires`. */
export function happeningOf(kind: string): string {
  return happenings[kind] ?? kind
}

/** `212 jobs, 41 webhook retries, 3 expiries`; what there is none of is left out. */
export function countedOf(counts: Answer<'advanceSandboxClock'>['counts']): string {
  const sums = { jobs: 0, retries: 0, expiries: 0 }
  for (const { kind, count } of counts) {
    if (kind === 'webhooks.deliver') sums.retries += count
    else if (/\.expire/.test(kind)) sums.expiries += count
    else sums.jobs += count
  }
  return [
    sums.jobs > 0 && t('{n, plural, one {# job} other {# jobs}}', { n: sums.jobs }),
    sums.retries > 0 &&
      t('{n, plural, one {# webhook retry} other {# webhook retries}}', { n: sums.retries }),
    sums.expiries > 0 && t('{n, plural, one {# expiry} other {# expiries}}', { n: sums.expiries }),
  ]
    .filter(Boolean)
    .join(', ')
}
