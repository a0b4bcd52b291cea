import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readOperatorProfile, readProfile } from './profile.ts'
import type { Terminal } from './terminal.ts'

let [home, directory] = ['', '']
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'corridor-home-'))
  directory = mkdtempSync(join(tmpdir(), 'corridor-project-'))
})
afterEach(() => {
  for (const folder of [home, directory]) rmSync(folder, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode: 0o600 })
}

const terminal = () => ({ directory, environment: { HOME: home } }) as unknown as Terminal
const clientId = () => readProfile(terminal(), {}).clientId

const credentials = (...names: string[]) =>
  JSON.stringify({
    baseUrl: 'http://localhost:8080/2025-10-13',
    platforms: names.map((name) => ({ name, clientId: `of ${name}`, clientSecret: 'secret' })),
  })
const settings = (id: string) =>
  `base_url = "http://${id}.example/2025-10-13"\nclient_id = "of ${id}"\nclient_secret = "secret"\n`
const leftByDev =
  'export CORRIDOR_BASE_URL=http://localhost:1/2025-10-13\nexport CORRIDOR_CLIENT_ID=dev\nexport CORRIDOR_CLIENT_SECRET=s\n'

test('the nearest installation is meant: the project, what runs in its folder, the user', () => {
  write(join(home, '.config/corridor/config.toml'), settings('user'))
  expect(clientId()).toBe('of user')
  write(join(directory, 'data/credentials.json'), credentials('acme', 'breeze'))
  expect(clientId()).toBe('of acme')
  write(join(directory, '.corridor/env'), leftByDev)
  expect(clientId()).toBe('dev')
  write(join(directory, '.corridor.toml'), settings('project'))
  expect(clientId()).toBe('of project')
})

test('of the server that runs in a folder the project may choose another platform', () => {
  write(join(directory, 'data/credentials.json'), credentials('acme', 'breeze'))
  write(join(directory, '.corridor.toml'), 'platform = "breeze"\n')
  expect(readProfile(terminal(), {})).toMatchObject({
    baseUrl: 'http://localhost:8080/2025-10-13',
    clientId: 'of breeze',
  })
})

test('a file of that name that is of something else is not looked at', () => {
  write(join(directory, 'data/credentials.json'), '{"user":"me"}')
  expect(clientId).toThrow('No installation is configured')
})

test('what stands in a folder that somebody else has made does not say where the key of an operator goes', () => {
  write(join(home, '.config/corridor/config.toml'), `${settings('user')}operator_key = "key"\n`)
  expect(readOperatorProfile(terminal(), {}).baseUrl).toBe('http://user.example')
  const elsewhere = credentials('acme').replace('localhost:8080', 'elsewhere.example')
  write(join(directory, 'data/credentials.json'), elsewhere)
  expect(() => readOperatorProfile(terminal(), {})).toThrow('elsewhere.example')
  write(join(directory, 'data/credentials.json'), credentials('acme'))
  expect(readOperatorProfile(terminal(), {}).baseUrl).toBe('http://localhost:8080')
})
