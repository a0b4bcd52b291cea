import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('configuration', () => {
  it('needs nothing at all', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      host: 'localhost',
      baseUrl: 'http://localhost:8080',
      dataDirectory: './data',
      databaseUrl: undefined,
      rateLimits: { platformPerSecond: 50, customerWritesPerSecond: 10, failedLoginsPerMinute: 20 },
      role: 'all',
    })
  })

  it('names every wrong value at once and repeats none of them', () => {
    const secret = 'short'
    const wrong = {
      PORT: '80a',
      CORRIDOR_MASTER_KEY: secret,
      CORRIDOR_ROLE: 'boss',
      DATABASE_URL: 'mysql://x',
    }
    let message = ''
    try {
      readConfig(wrong)
    } catch (error) {
      message = (error as Error).message
    }
    for (const name of Object.keys(wrong)) expect(message).toContain(`${name} must be`)
    expect(message).not.toContain(secret)
    expect(message).not.toContain('mysql')
  })

  it('refuses an address of a database that is none', () => {
    for (const url of ['postgresql://user:p@:bad/corridor', 'postgresql://host:70000/corridor']) {
      expect(() => readConfig({ DATABASE_URL: url })).toThrow('DATABASE_URL must be a URL')
    }
  })

  it.each([
    'postgresql://user@localhost/database?host=/run/postgresql',
    'postgresql://user@/database?host=%2Frun%2Fpostgresql&port=5433',
    'postgresql:///database?host=/run/postgresql&user=user',
    'postgresql://user:p%40ss@%2Frun%2Fpostgresql:5433/database',
  ])('takes the socket of a server on this machine: %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
    // The driver means the same by it.
    const { host, user, database } = new pg.Client(url)
    expect({ host, user, database }).toEqual({ host: '/run/postgresql', user: 'user', database: 'database' })
  })

  it('knows of another user who migrates, of a database that is named', () => {
    const url = 'postgresql://owner@host/database'
    expect(() => readConfig({ CORRIDOR_MIGRATE_DATABASE_URL: url })).toThrow(
      'CORRIDOR_MIGRATE_DATABASE_URL needs DATABASE_URL',
    )
    const wrong = { DATABASE_URL: url, CORRIDOR_MIGRATE_DATABASE_URL: 'postgresql://host:70000/corridor' }
    expect(() => readConfig(wrong)).toThrow('CORRIDOR_MIGRATE_DATABASE_URL must be a URL')
    expect(readConfig({ DATABASE_URL: url, CORRIDOR_MIGRATE_DATABASE_URL: url }).migrateDatabaseUrl).toBe(url)
  })

  it('refuses a port beyond the range and a role of its own on the embedded database', () => {
    expect(() => readConfig({ PORT: '65536' })).toThrow('PORT must be')
    expect(() => readConfig({ CORRIDOR_OPERATOR_PORT: '65536' })).toThrow('CORRIDOR_OPERATOR_PORT must be')
    expect(() => readConfig({ PORT: '81', CORRIDOR_OPERATOR_PORT: '81' })).toThrow('differ from PORT')
    expect(() => readConfig({ CORRIDOR_ROLE: 'worker' })).toThrow('CORRIDOR_ROLE must be "all"')
    const url = 'postgresql://user@host/database'
    expect(readConfig({ CORRIDOR_ROLE: 'worker', DATABASE_URL: url }).role).toBe('worker')
  })

  it('sets each limit, switches one off with 0 and all of them with off', () => {
    const set = { CORRIDOR_REQUESTS_PER_SECOND: '7', CORRIDOR_FAILED_LOGINS_PER_MINUTE: '0' }
    const limits = {
      platformPerSecond: 7,
      customerWritesPerSecond: 10,
      failedLoginsPerMinute: 0,
      walletChallengesPerMinute: 5,
      walletFailuresPerMinute: 10,
      cardRevealsPerMinute: 10,
      redemptionsPerMinute: 10,
      anonymousPerSecond: 20,
    }
    expect(readConfig(set).rateLimits).toEqual(limits)
    const off = Object.fromEntries(Object.keys(limits).map((name) => [name, 0]))
    expect(readConfig({ ...set, CORRIDOR_RATE_LIMITS: 'off' }).rateLimits).toEqual(off)
    expect(() => readConfig({ CORRIDOR_CUSTOMER_WRITES_PER_SECOND: '-1' })).toThrow('must be a whole number')
  })

  it('takes an empty variable as unset and drops a trailing slash of the base URL', () => {
    const config = readConfig({ PORT: '', CORRIDOR_BASE_URL: 'https://pay.example.com/' })
    expect(config).toMatchObject({ port: 8080, baseUrl: 'https://pay.example.com' })
  })

  it('reads the master key as hexadecimal or base64', () => {
    const bytes = Buffer.alloc(32, 9)
    for (const text of [bytes.toString('hex'), bytes.toString('base64')]) {
      expect(Buffer.from(readConfig({ CORRIDOR_MASTER_KEY: text }).masterKey!)).toEqual(bytes)
    }
  })

  it('takes a bucket only with its keys, and Amazon unless told otherwise', () => {
    expect(() => readConfig({ CORRIDOR_S3_BUCKET: 'documents' })).toThrow(
      'CORRIDOR_S3_ACCESS_KEY_ID is required with CORRIDOR_S3_BUCKET',
    )
    const keys = { CORRIDOR_S3_ACCESS_KEY_ID: 'a', CORRIDOR_S3_SECRET_ACCESS_KEY: 's' }
    const bucket = { CORRIDOR_S3_BUCKET: 'documents', CORRIDOR_S3_REGION: 'eu-west-1', ...keys }
    expect(readConfig(bucket).s3).toMatchObject({ endpoint: 'https://s3.eu-west-1.amazonaws.com' })
    const own = { ...bucket, CORRIDOR_S3_ENDPOINT: 'http://minio:9000' }
    expect(readConfig(own).s3).toMatchObject({ endpoint: 'http://minio:9000', bucket: 'documents' })
    expect(readConfig({}).s3).toBeUndefined()
  })
})

describe('webhooks of sandbox platforms', () => {
  it.each([
    [{}, true],
    [{ HOST: '127.0.0.1' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '127.0.0.1.example.com' }, false],
    [{ HOST: 'corridor.example.com' }, false],
    [{ HOST: '0.0.0.0', CORRIDOR_SANDBOX_PRIVATE_WEBHOOKS: 'on' }, true],
    [{ CORRIDOR_SANDBOX_PRIVATE_WEBHOOKS: 'off' }, false],
  ])('with %j may reach private addresses: %s', (environment, expected) => {
    expect(readConfig(environment).allowsPrivateSandboxWebhooks).toBe(expected)
  })
})

it('addresses with a name and a password are refused where they would be shown, and not repeated', () => {
  for (const name of ['CORRIDOR_BASE_URL', 'CORRIDOR_END_USER_TERMS_URL', 'CORRIDOR_ECB_SOURCE']) {
    const refused = () => readConfig({ [name]: 'https://ana:hunter2@example.com/x' })
    expect(refused, name).toThrow(name)
    expect(refused, name).not.toThrow('hunter2')
  }
})
