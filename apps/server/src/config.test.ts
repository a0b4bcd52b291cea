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
