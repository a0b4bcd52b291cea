import pg from 'pg'
const c = new pg.Client({ connectionString: 'postgresql://postgres@127.0.0.1:54390/ap' }); await c.connect()
const { rows: [b] } = await c.query('select platform_id p from books'); const P = b.p, E = 'PRODUCTION'
await c.query(`set role corridor_app; `); await c.query(`set corridor.platform='${P}'`); await c.query(`set corridor.environment='PRODUCTION'`)
await c.query('set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off')
const acc = (n: number) => `avail:InternalAccount:01930000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
const ids = () => [...new Set(Array.from({ length: 1024 }, () => acc(2 + Math.floor(Math.random() * 99990))))].sort()
async function t(label: string, q: (ids: string[]) => any, commit = true) {
  const ts: number[] = []
  for (let i = 0; i < 40; i++) { const x = ids(); const qq = q(x); await c.query('begin'); const t0 = performance.now(); await c.query(qq); ts.push((performance.now() - t0) * 1000 / 1024); await c.query('commit') }
  ts.sort((a, b) => a - b); console.log(label, 'us/row median', ts[20]!.toFixed(2), 'min', ts[0]!.toFixed(2))
}
const sel = 'select id, debits_posted, credits_posted, debits_pending, credits_pending from ledger_accounts where platform_id=$1 and environment=$2 and id = any($3::text[])'
const upJ = `update ledger_accounts a set debits_posted=a.debits_posted+v.debits_posted, credits_posted=a.credits_posted+v.credits_posted, debits_pending=a.debits_pending+v.debits_pending, credits_pending=a.credits_pending+v.credits_pending, moved_at=v.moved_at from json_populate_recordset(null::ledger_accounts,$3) v where a.platform_id=$1 and a.environment=$2 and a.id=v.id`
const upU = `update ledger_accounts a set debits_posted=a.debits_posted+v.d, credits_posted=a.credits_posted+v.c, debits_pending=a.debits_pending+v.dp, credits_pending=a.credits_pending+v.cp, moved_at=$8 from unnest($3::text[],$4::int8[],$5::int8[],$6::int8[],$7::int8[]) v(id,d,c,dp,cp) where a.platform_id=$1 and a.environment=$2 and a.id=v.id`
const now = new Date().toISOString()
async function all(tag: string) {
  await t(tag + ' lock order by', (x) => ({ name: 'a' + tag, text: sel + ' order by id for update', values: [P, E, x] }))
  await t(tag + ' lock no order', (x) => ({ name: 'a2' + tag, text: sel + ' for update', values: [P, E, x] }))
  await t(tag + ' lock no key  ', (x) => ({ name: 'a3' + tag, text: sel + ' for no key update', values: [P, E, x] }))
  await t(tag + ' plain select ', (x) => ({ name: 'b' + tag, text: sel, values: [P, E, x] }))
  await t(tag + ' update json  ', (x) => ({ name: 'c' + tag, text: upJ, values: [P, E, JSON.stringify(x.map((id) => ({ id, currency: 'EUR', debits_posted: '1', credits_posted: '1', debits_pending: '0', credits_pending: '0', must_not_go_negative: true, moved_at: now })))] }))
  await t(tag + ' update unnest', (x) => ({ name: 'd' + tag, text: upU, values: [P, E, x, x.map(() => 1), x.map(() => 1), x.map(() => 0), x.map(() => 0), now] }))
}
await all('rls')
const c2 = new pg.Client({ connectionString: 'postgresql://postgres@127.0.0.1:54390/ap' }); await c2.connect()
await c2.query(`drop policy one_book on ledger_accounts`); await c2.query(`create policy one_book on ledger_accounts to corridor_app using (platform_id = (select current_setting('corridor.platform')::uuid) and environment = (select current_setting('corridor.environment')))`)
await all('initplan')
await c.query('reset role')
await all('norls')
console.log((await c.query("select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname='ledger_accounts'")).rows)
await c.end(); await c2.end()
