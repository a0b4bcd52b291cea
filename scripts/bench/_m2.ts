import pg from 'pg'
import { randomUUID } from 'node:crypto'
const c = new pg.Client({ connectionString: 'postgresql://postgres@127.0.0.1:54390/ap' }); await c.connect()
const { rows: [b] } = await c.query('select platform_id p from books'); const P = b.p, E = 'PRODUCTION'
await c.query(`set role corridor_app; `); await c.query(`set corridor.platform='${P}'`); await c.query(`set corridor.environment='PRODUCTION'`)
await c.query('set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off')
const acc = (n: number) => `avail:InternalAccount:01930000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
const now = new Date().toISOString(); let seq = Date.now() * 4096
const uid = () => { const h = (seq++).toString(16).padStart(15, '0'); return `0${h.slice(0,7)}-${h.slice(7,11)}-7${h.slice(11,14)}-8${h.slice(14)}00-000000000000` }
const rows = () => Array.from({ length: 512 }, () => { const id = 'Webhook:' + uid(), r = 'Transaction:' + uid(); return { platform_id: P, environment: E, id, type: 'OUTGOING_PAYMENT.COMPLETED', resource_id: r, body: JSON.stringify({ id, type: 'OUTGOING_PAYMENT.COMPLETED', timestamp: now, data: { id: r, amount: 50, debit: acc(1), credit: acc(2) } }), max_attempts: null, created_at: now, due_at: now } })
async function t(label: string, q: (r: any[]) => any) {
  const ts: number[] = [], js: number[] = []
  for (let i = 0; i < 40; i++) { const x = rows(); const j0 = performance.now(); const qq = q(x); js.push((performance.now() - j0) * 1000 / 512); await c.query('begin'); const t0 = performance.now(); await c.query(qq); ts.push((performance.now() - t0) * 1000 / 512); await c.query('commit') }
  ts.sort((a, b) => a - b); js.sort((a, b) => a - b); console.log(label.padEnd(34), 'us/row median', ts[20]!.toFixed(2), 'min', ts[0]!.toFixed(2), 'js', js[20]!.toFixed(2))
}
const cols = 'platform_id, environment, id, type, resource_id, body, status, max_attempts, created_at, due_at'
const arr = (xs: string[]) => { let s = '{'; for (let i = 0; i < xs.length; i++) { const x = xs[i]!; s += (i ? ',"' : '"') + (x.includes('"') || x.includes('\\') ? x.replace(/["\\]/g, '\\$&') : x) + '"' } return s + '}' }
await t('json_populate + configs join', (x) => ({ name: 'e1', text: `insert into events (${cols}) select v.platform_id, v.environment, v.id, v.type, v.resource_id, v.body, case when c.webhook_endpoint is null then 'STORED' else 'QUEUED' end, v.max_attempts, v.created_at, v.due_at from json_populate_recordset(null::events, $1) v left join platform_configs c on c.platform_id = v.platform_id and c.environment = v.environment`, values: [JSON.stringify(x)] }))
await t('json_populate no join', (x) => ({ name: 'e2', text: `insert into events (${cols}) select v.platform_id, v.environment, v.id, v.type, v.resource_id, v.body, 'QUEUED', v.max_attempts, v.created_at, v.due_at from json_populate_recordset(null::events, $1) v`, values: [JSON.stringify(x)] }))
await t('json_to_recordset narrow', (x) => ({ name: 'e3', text: `insert into events (${cols}) select $2, $3, v.id, v.type, v.r, v.body, 'QUEUED', v.m, v.c, v.c from json_to_recordset($1) v(id text, type text, r text, body text, m int, c timestamptz)`, values: [JSON.stringify(x.map((r) => ({ id: r.id, type: r.type, r: r.resource_id, body: r.body, c: now }))), P, E] }))
await t('unnest pg arrays', (x) => ({ name: 'e4', text: `insert into events (${cols}) select $1, $2, v.id, v.type, v.r, v.body, 'QUEUED', v.m, v.c, v.c from unnest($3::text[],$4::text[],$5::text[],$6::text[],$7::int[],$8::timestamptz[]) v(id,type,r,body,m,c)`, values: [P, E, x.map((r) => r.id), x.map((r) => r.type), x.map((r) => r.resource_id), x.map((r) => r.body), x.map(() => null), x.map(() => now)] }))
await t('unnest own literal', (x) => ({ name: 'e5', text: `insert into events (${cols}) select $1, $2, v.id, v.type, v.r, v.body, 'QUEUED', v.m, v.c, v.c from unnest($3::text[],$4::text[],$5::text[],$6::text[],$7::int[],$8::timestamptz[]) v(id,type,r,body,m,c)`, values: [P, E, arr(x.map((r) => r.id)), arr(x.map((r) => r.type)), arr(x.map((r) => r.resource_id)), arr(x.map((r) => r.body)), '{' + x.map(() => 'null').join() + '}', arr(x.map(() => now))] }))
const admin = new pg.Client({ connectionString: 'postgresql://postgres@127.0.0.1:54390/ap' }); await admin.connect()
const again = (n: string) => t('unnest own literal ' + n, (x) => ({ name: 'e5', text: `insert into events (${cols}) select $1, $2, v.id, v.type, v.r, v.body, 'QUEUED', v.m, v.c, v.c from unnest($3::text[],$4::text[],$5::text[],$6::text[],$7::int[],$8::timestamptz[]) v(id,type,r,body,m,c)`, values: [P, E, arr(x.map((r) => r.id)), arr(x.map((r) => r.type)), arr(x.map((r) => r.resource_id)), arr(x.map((r) => r.body)), '{' + x.map(() => 'null').join() + '}', arr(x.map(() => now))] }))
await admin.query('drop index events_listed'); await again('-listed')
await admin.query('drop index events_heads'); await again('-heads')
await admin.query('drop index events_due'); await again('-due')
await admin.query('alter table events disable row level security'); await again('-rls')
await c.end(); await admin.end()
