import type { Cluster } from './cluster.ts'
import type { LoadResult } from './load.ts'
import { type Caller, createInstallation, type Installation } from './server.ts'

/** Two platforms of one installation: one has a thousand transactions, the other a million. */
export interface Histories {
  readonly installation: Installation
  readonly few: Caller
  readonly many: Caller
}

/** Rows as narrow as they may be: what counts is how many there are. */
const fill = (clientId: string, count: number) => `
  insert into transactions (platform_id, environment, id, status, type, direction, owner_id,
    platform_customer_id, sent_amount, sent_currency, received_amount, received_currency, source,
    destination, sender_identifiers, receiver_identifiers, reference, flow, details, created_at, updated_at)
  select t.platform_id, t.environment, 'Transaction:' || lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000',
    'COMPLETED', 'INCOMING', 'CREDIT', 'Customer:00000000-0000-7000-8000-' || lpad(to_hex(n % 10000), 12, '0'),
    'c-' || n % 10000, 100, 'USD', 100, 'USD', '{"sourceType":"REALTIME_FUNDING","currency":"USD"}',
    '{"destinationType":"ACCOUNT","accountId":"InternalAccount:00000000-0000-7000-8000-000000000001","currency":"USD"}',
    '{}', array['InternalAccount:00000000-0000-7000-8000-000000000001'], 'REF-' || n, '{}', '{}',
    now() - interval '1 day' + n * interval '10 milliseconds', now()
  from generate_series(1, ${count}) n, tokens t where t.client_id = '${clientId}';`

export async function prepareHistories(cluster: Cluster, port: number): Promise<Histories> {
  await cluster.program('psql', ['-q', '-c', 'create database lists'])
  const installation = await createInstallation(cluster.url('lists'), port)
  await installation.end(await installation.start('all'))
  return { installation, few: await installation.caller('breeze'), many: await installation.caller('civic') }
}

export async function fillHistories(cluster: Cluster, { few, many }: Histories): Promise<void> {
  // One after the other, so that the pages of the few are not spread among those of the many.
  for (const text of [
    fill(few.clientId, 1_000),
    fill(many.clientId, 1_000_000),
    'vacuum analyze transactions',
  ]) {
    await cluster.program('psql', ['-q', '-d', 'lists', '-c', text])
  }
}

type Load = (caller: Caller) => Promise<LoadResult>

/** The first page of each. */
export async function measureHistories({ installation, few, many }: Histories, load: Load) {
  const server = await installation.start('api')
  try {
    await load(few)
    return { few: await load(few), many: await load(many) }
  } finally {
    await installation.end(server)
  }
}
