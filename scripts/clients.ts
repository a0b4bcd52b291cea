import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { startServer } from '../tests/security/started-server.ts'

/**
 * Lists with an array as filter, uploads a file and pays, with HTTP clients of other people and languages against a started server:
 * `npx tsx scripts/clients.ts`, or `npx tsx scripts/clients.ts go curl` for some of them.
 *
 * Prints one line for each client. Ends with 1 when a client gets something else than the others should; a client whose
 * runtime is not installed is skipped and said so.
 */
const folder = join(import.meta.dirname, 'clients')
const clients: Readonly<
  Record<string, { readonly command: readonly string[]; readonly needs: readonly string[] }>
> = {
  axios: { command: ['node', 'axios.mjs'], needs: ['node', '--version'] },
  got: { command: ['node', 'got.mjs'], needs: ['node', '--version'] },
  requests: { command: ['python3', 'python.py', 'requests'], needs: ['python3', '-c', 'import requests'] },
  httpx: { command: ['python3', 'python.py', 'httpx'], needs: ['python3', '-c', 'import httpx'] },
  go: { command: ['go', 'run', 'main.go'], needs: ['go', 'version'] },
  java: { command: ['java', 'Client.java'], needs: ['java', '-version'] },
  curl: { command: ['sh', 'curl.sh'], needs: ['curl', '--version'] },
}
/** No failed payment, an accepted file, a completed payment. */
const expected = '0 202 COMPLETED'

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !Object.hasOwn(clients, name))
if (unknown.length > 0)
  throw new Error(`${unknown.join(', ')} is no client. Clients: ${Object.keys(clients).join(', ')}`)

buildServer()
const server = await startServer({ CORRIDOR_RATE_LIMITS: 'off' })
let failures = 0
try {
  const authorization = server.authorization('acme')
  const [clientId, clientSecret] = Buffer.from(authorization.slice('Basic '.length), 'base64')
    .toString()
    .split(':')
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.base}${path}`, {
      method,
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.json()
  }
  const customer = await call('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    fullName: 'Ada Ro',
    region: 'US',
  })
  const accounts = await call('GET', `/customers/internal-accounts?customerId=${customer.id}&currency=USD`)
  const account = accounts.data[0].id
  await call('POST', `/sandbox/internal-accounts/${account}/fund`, { amount: 100_000 })
  const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Bo Ek' }
  const accountInfo = { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000', beneficiary }
  const payee = await call('POST', '/customers/external-accounts', {
    customerId: customer.id,
    currency: 'EUR',
    accountInfo,
  })
  const environment = {
    ...process.env,
    ...{
      BASE: server.base,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      ACCOUNT: account,
      PAYEE: payee.id,
    },
  }
  for (const [name, { command, needs }] of Object.entries(clients)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    if (run(needs).status !== 0) {
      console.log(`${name.padEnd(9)} SKIPPED: ${needs.join(' ')} does not run here`)
      continue
    }
    const { stdout, stderr } = run(command, environment)
    const isFine = stdout.trim() === expected
    if (!isFine) failures++
    console.log(`${name.padEnd(9)} ${isFine ? 'ok' : 'FAILED'}: ${(stdout || stderr).trim()}`)
  }
} finally {
  await server.stop()
}
process.exitCode = failures > 0 ? 1 : 0

function run([program, ...parameters]: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  return spawnSync(program!, parameters, { cwd: folder, env, encoding: 'utf8', timeout: 300_000 })
}
