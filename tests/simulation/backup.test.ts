import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import { buildServer } from '@corridor/testkit/built-server.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  fund,
  internalAccountOf,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Installation, prepareInstallation, root } from './installation.ts'

/**
 * A fire, walked: payments run, a backup is made in the middle of them, the installation is lost, and another one
 * is made from the backup and the master key alone.
 */

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const scratch = mkdtempSync(join(tmpdir(), 'corridor-fire-'))
const backup = join(scratch, 'backup')
const keys = join(scratch, 'keys')

let lost: Installation
let found: Installation
beforeAll(async () => {
  buildServer()
  lost = await prepareInstallation('lost', serverUrl)
  found = await prepareInstallation('found', serverUrl)
}, 180_000)
afterAll(async () => {
  await Promise.all([lost.remove(), found.remove()])
  rmSync(scratch, { recursive: true, force: true })
})

interface Ended {
  readonly code: number
  readonly output: string
  readonly error: string
}

/** Runs one of the programs with the settings of an installation, to its end. */
function program(
  name: 'backup' | 'restore' | 'restore-check',
  { dataDirectory, databaseUrl }: Pick<Installation, 'dataDirectory' | 'databaseUrl'>,
  ...parameters: string[]
): Promise<Ended> {
  const env = {
    PATH: process.env.PATH ?? '',
    CORRIDOR_DATA_DIR: dataDirectory,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  }
  const path = join(root, `apps/server/dist/${name}.js`)
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...parameters], { env }, (error, output, said) => {
      resolve({ code: error ? Number(error.code) : 0, output, error: said })
    })
  })
}

const passport = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from('a passport that nobody else may see'),
])

async function upload(installation: Installation, holder: string): Promise<string> {
  const form = new FormData()
  form.set('documentHolder', holder)
  form.set('documentType', 'PASSPORT')
  form.set('country', 'US')
  form.set('side', 'FRONT')
  form.set('file', new Blob([passport], { type: 'image/png' }), 'passport.png')
  const answer = await fetch(`${installation.baseUrl}/documents`, {
    method: 'POST',
    headers: { authorization: installation.connect().authorization },
    body: form,
  })
  const body = (await answer.json()) as { id: string }
  expect([answer.status, body]).toEqual([201, expect.any(Object)])
  return body.id
}

const payments = 40
const amountMinor = 100
let customerId: string
let documentId: string
/** Executions that had been answered before the backup began. */
const answeredBefore: string[] = []

async function executeAll(api: CorridorClient, quotes: readonly string[], done: (id: string) => void) {
  for (const id of quotes) {
    const answer = await api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: id } } })
    expect(answer.response.status).toBe(200)
    done(id)
  }
}

it('copies a whole installation in the middle of payments', async () => {
  await lost.start()
  const { api } = lost.connect()
  const customer = await createCustomer(api)
  customerId = customer.id
  documentId = await upload(lost, customerId)
  const usd = await internalAccountOf(api, customerId, 'USD')
  await fund(api, usd.id, payments * amountMinor)
  const payee = await createPayee(api, 'PHP', '1234567890', { customerId })
  const quotes: string[] = []
  for (let made = 0; made < payments; made++) {
    quotes.push((await createQuote(api, quoteBody(usd, payee, amountMinor))).id)
  }
  await executeAll(api, quotes.slice(0, payments / 2), (id) => answeredBefore.push(id))
  if (serverUrl) {
    // Beside the running server, while it pays.
    const paying = executeAll(api, quotes.slice(payments / 2), () => {})
    const made = await program('backup', lost, backup, '--key-to', keys)
    expect(made).toMatchObject({ code: 0, error: '' })
    await paying
  } else {
    const running = await program('backup', lost, join(scratch, 'refused'))
    expect(running).toMatchObject({ code: 2, error: expect.stringContaining('in use by process') })
    // Killed in the middle of a payment, as a fire would.
    const paying = executeAll(api, quotes.slice(payments / 2), () => {}).catch(() => {})
    await lost.kill()
    await paying
    const made = await program('backup', lost, backup, '--key-to', keys)
    expect(made).toMatchObject({ code: 0, error: '' })
  }
  copyFileSync(join(lost.dataDirectory, 'credentials.json'), join(scratch, 'credentials.json'))
  const manifest = readFileSync(join(backup, 'manifest.json'), 'utf8')
  expect(JSON.parse(manifest)).toMatchObject({
    kind: serverUrl ? 'postgresql' : 'pglite',
    removedMeanwhile: [],
  })
  expect(manifest).not.toContain('master.key')
}, 300_000)

it('keeps the master key out of the folder of the backup', async () => {
  const refused = await program('backup', lost, join(scratch, 'b'), '--key-to', join(scratch, 'b', 'keys'))
  expect(refused).toMatchObject({
    code: 2,
    error: expect.stringContaining('separately from the backup'),
  })
  expect((await program('backup', lost, backup)).error).toContain('is not empty')
  for (const path of readdirSync(backup, { recursive: true, encoding: 'utf8' })) {
    const isFile = statSync(join(backup, path)).isFile()
    const holds = isFile && readFileSync(join(backup, path)).includes(passport.subarray(16))
    expect([path, holds]).toEqual([path, false])
  }
})

/** A place without anything but the address of a server for the scratch database. */
const nowhere = () => ({ dataDirectory: join(scratch, 'nowhere'), databaseUrl: lost.databaseUrl })
const check = (folder: string, from = keys) => program('restore-check', nowhere(), folder, '--key-from', from)

it('finds everything in it, with the master key and nothing else', async () => {
  const { code, output, error } = await check(backup)
  expect({ code, error }).toEqual({ code: 0, error: '' })
  const report = JSON.parse(output)
  expect(report).toMatchObject({
    sound: true,
    problems: [],
    ledger: { sound: true },
    sealedTexts: { unreadable: [] },
    files: { opened: 1, missing: [], unreadable: [] },
  })
  expect(report.sealedTexts.opened).toBeGreaterThan(5)
  expect(report.ledger.checkedTransfers).toBeGreaterThanOrEqual(payments / 2)
  expect(output).not.toContain('1234567890')
}, 180_000)

it('says so when the key is another one', async () => {
  const other = join(scratch, 'other-keys')
  mkdirSync(other)
  writeFileSync(join(other, 'master.key'), Buffer.alloc(32, 1).toString('base64'))
  const { code, output } = await check(backup, other)
  expect(code).toBe(1)
  expect(JSON.parse(output).problems).toEqual([expect.stringContaining('The master key does not match')])
}, 180_000)

it('says what is missing, what was changed and what is no backup', async () => {
  const manifestPath = join(backup, 'manifest.json')
  const whole = readFileSync(manifestPath, 'utf8')
  const manifest = JSON.parse(whole) as { files: { path: string }[] }
  const blob = manifest.files.find(({ path }) => path.startsWith('blobs/'))!
  const path = join(backup, blob.path)
  const bytes = readFileSync(path)

  writeFileSync(path, Buffer.from(bytes).fill(0, 20, 24))
  expect(await check(backup)).toMatchObject({ code: 2, error: expect.stringContaining(blob.path) })
  rmSync(path)
  expect(await check(backup)).toMatchObject({ code: 2, error: expect.stringContaining(blob.path) })

  // A backup that never had the file: whole by its own list, and yet something is missing in it.
  const without = { ...manifest, files: manifest.files.filter((file) => file !== blob) }
  writeFileSync(manifestPath, JSON.stringify(without))
  const { code, output } = await check(backup)
  expect(code).toBe(1)
  expect(JSON.parse(output)).toMatchObject({
    sound: false,
    problems: [expect.stringContaining('1 uploaded files are missing')],
    files: { missing: [blob.path.slice('blobs/'.length)] },
  })
  rmSync(manifestPath)
  expect(await check(backup)).toMatchObject({ code: 2, error: expect.stringContaining('is incomplete') })

  writeFileSync(path, bytes)
  writeFileSync(manifestPath, whole)
}, 300_000)

it('makes the installation anew from the backup and the key', async () => {
  await lost.remove()
  const restored = await program('restore', found, backup)
  expect(restored).toMatchObject({ code: 0, error: '' })
  expect(restored.output).toContain('Put the master key at')
  expect(await program('restore', found, backup)).toMatchObject({
    code: 2,
    error: expect.stringContaining('is not empty'),
  })
  await expect(found.start()).rejects.toThrow(/master key/i)
  copyFileSync(join(keys, 'master.key'), join(found.dataDirectory, 'master.key'))
  copyFileSync(join(scratch, 'credentials.json'), join(found.dataDirectory, 'credentials.json'))
  await found.start()
  const { api, authorization } = found.connect()
  const document = await fetch(`${found.baseUrl}/documents/${documentId}`, { headers: { authorization } })
  expect([document.status, await document.json()]).toEqual([
    200,
    expect.objectContaining({ fileName: 'passport.png', documentHolder: customerId }),
  ])
  for (const quoteId of answeredBefore) {
    const { data } = await api.GET('/quotes/{quoteId}', { params: { path: { quoteId } } })
    expect(['PROCESSING', 'COMPLETED'], quoteId).toContain(data?.status)
  }
  const payee = await createPayee(api, 'PHP', '0987654321', { customerId })
  const usd = await internalAccountOf(api, customerId, 'USD')
  await fund(api, usd.id, amountMinor)
  const next = await createQuote(api, quoteBody(usd, payee, amountMinor))
  await executeAll(api, [next.id], () => {})
}, 300_000)
