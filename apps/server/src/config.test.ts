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
      rateLimits: true,
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

  it('refuses a port beyond the range and a role of its own on the embedded database', () => {
    expect(() => readConfig({ PORT: '65536' })).toThrow('PORT must be')
    expect(() => readConfig({ CORRIDOR_ROLE: 'worker' })).toThrow('CORRIDOR_ROLE must be all')
    const url = 'postgresql://user@host/database'
    expect(readConfig({ CORRIDOR_ROLE: 'worker', DATABASE_URL: url }).role).toBe('worker')
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
})
