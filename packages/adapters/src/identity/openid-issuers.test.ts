import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { openIdIssuers } from './openid-issuers.ts'

const issuer = 'https://accounts.google.com'
const discovery = `${issuer}/.well-known/openid-configuration`
const keysAt = 'https://www.googleapis.example/keys'

type Pair = Awaited<ReturnType<typeof generateKeyPair>>
let rsa: Pair
let ec: Pair
let stranger: Pair
beforeAll(async () => {
  rsa = await generateKeyPair('RS256', { extractable: true })
  ec = await generateKeyPair('ES256', { extractable: true })
  stranger = await generateKeyPair('RS256', { extractable: true })
})

const token = (pair: Pair, alg: string, kid: string) =>
  new SignJWT({ nonce: 'n' }).setProtectedHeader({ alg, kid }).setIssuer(issuer).sign(pair.privateKey)
const jwk = async (pair: Pair, alg: string, kid: string): Promise<JWK> => ({
  ...(await exportJWK(pair.publicKey)),
  alg,
  kid,
})

/** An issuer on the network, whose answers the test decides. */
function network(answers: Record<string, unknown>) {
  const asked: string[] = []
  let now = 1_760_000_000_000
  const world = {
    now: () => now,
    log: { warn() {}, info() {}, error() {}, debug() {} } as never,
    fetch: (async (input: string | URL | Request) => {
      const address = String(input)
      asked.push(address)
      const answer = answers[address]
      if (answer === undefined) throw new Error('no such host')
      return typeof answer === 'number' ? new Response('', { status: answer }) : Response.json(answer)
    }) as typeof fetch,
  }
  return { asked, answers, issuers: openIdIssuers(world), pass: (ms: number) => (now += ms) }
}

const published = async (...keys: JWK[]) => ({ [discovery]: { jwks_uri: keysAt }, [keysAt]: { keys } })

describe('tokens of an issuer', () => {
  it('are checked with the keys that it publishes, which are read once', async () => {
    const answers = await published(await jwk(rsa, 'RS256', 'a'), await jwk(ec, 'ES256', 'b'))
    const { issuers, asked } = network(answers)
    const verify = (text: string) => issuers.verifySignature(text, issuer)
    const [first, second] = await Promise.all([
      verify(await token(rsa, 'RS256', 'a')),
      verify(await token(ec, 'ES256', 'b')),
    ])
    expect([first, second]).toEqual(['VALID', 'VALID'])
    expect(asked).toEqual([discovery, keysAt])
    const good = await token(rsa, 'RS256', 'a')
    expect(await verify(await token(stranger, 'RS256', 'a'))).toBe('INVALID')
    expect(await verify(`${good.slice(0, -5)}AAAAA`)).toBe('INVALID')
    expect(await verify(`${good.split('.').slice(0, 2).join('.')}.`)).toBe('INVALID')
    expect(await verify(new UnsecuredJWT({}).encode())).toBe('INVALID')
    const shared = new SignJWT({}).setProtectedHeader({ alg: 'HS256', kid: 'a' })
    expect(await verify(await shared.sign(new Uint8Array(32)))).toBe('INVALID')
    expect(asked).toHaveLength(2)
  })

  it('that name a new key have the keys read again, not more often than every half minute', async () => {
    const { issuers, asked, answers, pass } = network(await published(await jwk(rsa, 'RS256', 'a')))
    const verify = (text: string) => issuers.verifySignature(text, issuer)
    expect(await verify(await token(rsa, 'RS256', 'a'))).toBe('VALID')
    const next = await token(ec, 'ES256', 'new')
    expect(await verify(next)).toBe('INVALID')
    expect(asked).toHaveLength(2)
    answers[keysAt] = { keys: [await jwk(ec, 'ES256', 'new')] }
    pass(30_000)
    expect(await verify(next)).toBe('VALID')
    expect(asked).toHaveLength(4)
  })

  it('cannot be judged while it does not answer or answers nonsense', async () => {
    const text = await token(rsa, 'RS256', 'a')
    for (const answers of [
      {},
      { [discovery]: 500 },
      { [discovery]: { jwks_uri: 'http://plain.example/keys' } },
      { [discovery]: [] },
      { [discovery]: { jwks_uri: keysAt }, [keysAt]: { nothing: 1 } },
    ]) {
      expect(await network(answers).issuers.verifySignature(text, issuer)).toBe('UNREACHABLE')
    }
  })

  it('of nobody known are refused without asking', async () => {
    const { issuers, asked } = network({})
    expect(issuers.supports('https://elsewhere.example')).toBe(false)
    expect(await issuers.verifySignature('a.b.c', 'https://elsewhere.example')).toBe('INVALID')
    expect(issuers.supports('accounts.google.com')).toBe(true)
    expect(asked).toEqual([])
  })
})
