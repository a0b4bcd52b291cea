import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
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

const elsewhere = 'base_url = "https://elsewhere.example/2025-10-13"\n'
const devElsewhere = 'export CORRIDOR_BASE_URL=https://elsewhere.example/2025-10-13\n'
const inEnvironment = () =>
  ({
    directory,
    environment: { HOME: home, CORRIDOR_CLIENT_ID: 'mine', CORRIDOR_CLIENT_SECRET: 'secret' },
  }) as unknown as Terminal

test.each([
  ['.corridor.toml', elsewhere],
  ['.corridor.toml', `${elsewhere}client_id = "mine"\n`],
  ['.corridor/env', devElsewhere],
  [
    'data/credentials.json',
    credentials('acme').replace('http://localhost:8080', 'https://elsewhere.example'),
  ],
])('an address in %s does not receive a secret from elsewhere', (path, text) => {
  write(join(directory, path), text)
  expect(() => readProfile(inEnvironment(), {})).toThrow(
    /The base URL https:\/\/elsewhere.example\/2025-10-13 comes from .*, but the client secret does not/,
  )
  expect(readProfile(inEnvironment(), { baseUrl: 'https://mine.example' }).baseUrl).toBe(
    'https://mine.example',
  )
  // A server on this machine belongs to the user.
  write(join(directory, path), text.replace('https://elsewhere.example', 'http://127.0.0.1:8080'))
  expect(readProfile(inEnvironment(), {}).baseUrl).toBe('http://127.0.0.1:8080/2025-10-13')
})

test('an address in a folder does not receive the secret in the configuration of the user', () => {
  write(join(home, '.config/corridor/config.toml'), settings('user'))
  for (const [path, text] of [
    ['.corridor.toml', elsewhere],
    ['.corridor/env', devElsewhere],
  ] as const) {
    write(join(directory, path), text)
    expect(clientId).toThrow('but the client secret does not')
    rmSync(join(directory, path))
  }
  expect(clientId()).toBe('of user')
})

test('an address in .corridor.toml does not receive the secret of a server that runs in the folder', () => {
  write(join(directory, '.corridor.toml'), elsewhere)
  write(join(directory, 'data/credentials.json'), credentials('acme'))
  expect(clientId).toThrow('elsewhere.example')
  write(join(directory, '.corridor/env'), leftByDev)
  expect(clientId).toThrow('elsewhere.example')
  write(join(directory, '.corridor.toml'), `${elsewhere}credentials = "data/credentials.json"\n`)
  expect(clientId()).toBe('of acme')
})

test('the credentials that .corridor.toml names are in its folder', () => {
  const other = join(home, 'other/credentials.json')
  write(other, credentials('acme'))
  symlinkSync(other, join(directory, 'link.json'))
  for (const path of [relative(directory, other), 'link.json']) {
    write(join(directory, '.corridor.toml'), `${elsewhere}credentials = "${path}"\n`)
    expect(clientId).toThrow('outside')
  }
})

test('without a home folder the current folder is not the configuration of the user', () => {
  write(join(directory, '.config/corridor/config.toml'), elsewhere)
  const { environment } = inEnvironment()
  const homeless = { directory, environment: { ...environment, HOME: undefined } } as unknown as Terminal
  expect(() => readProfile(homeless, {})).toThrow('No installation is configured')
})
