import { routes } from '@corridor/engine/assembly/features.ts'
import type { ProvisionedPlatform } from '@corridor/engine/platform/platforms/index.ts'
import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { basic, json } from '../e2e/raw-calls.ts'

/**
 * A production platform names an address that leads into the network of the server, in every notation that
 * a URL has for it: nothing is ever sent there. Names are judged when they have been resolved:
 * `packages/adapters/src/messaging/address-guard.test.ts`.
 */

const reached: string[] = []
let server: TestServer
let platform: ProvisionedPlatform
beforeAll(async () => {
  server = await startTestServer({
    network: async (input) => {
      reached.push(String(input))
      return new Response('ok')
    },
  })
  platform = await server.platform({ environment: 'PRODUCTION' })
})
afterAll(() => server.close())
beforeEach(() => {
  reached.length = 0
})

const internal = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '0.0.0.0',
  '100.64.0.1',
]

/** The ways to write an IPv4 address, as hosts of a URL. */
function notationsOf(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number, width: number) => value.toString(16).padStart(width, '0')
  const [high, low] = [hex(a * 256 + b, 4), hex(c * 256 + d, 4)]
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole, 8)}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map((part) => `0x${hex(part, 2)}`).join('.'),
    [a, b, c, d].map((part) => `0${part.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    address.replaceAll('.', '%2e'),
    [...address]
      .map((letter) => (letter === '.' ? '。' : String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)))
      .join(''),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[::${high}:${low}]`,
    `[64:ff9b::${high}:${low}]`,
    `[2002:${high}:${low}::]`,
  ]
}

const others = [
  '[::1]',
  '[::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[0:0:0:0:0:0:0:1]',
]
const hosts = [...internal.flatMap(notationsOf), ...others]
const vectors = [
  ...hosts.map((host) => `https://${host}/hook`),
  ...internal.map((host) => `https://${host}:8443/hook`),
  ...internal.map((host) => `https://user:word@${host}/hook`),
  ...internal.map((host) => `HTTPS://${host}\\@example.com/`),
  'http://example.com/hook',
  'file:///etc/passwd',
  'gopher://127.0.0.1:25/',
]

function call(method: string, path: string, body: object) {
  return server.fetch(server.baseUrl + path, {
    method,
    headers: { authorization: basic(platform), ...json },
    body: JSON.stringify(body),
  })
}

describe('an address of the own network', () => {
  it('is tried in more than a hundred notations', () => {
    expect(new Set(vectors).size).toBeGreaterThan(120)
  })

  it.each(vectors)('%s is never sent to', async (webhookEndpoint) => {
    const saved = await call('PATCH', '/config', { webhookEndpoint })
    if (saved.status !== 200) {
      expect(await saved.json()).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    } else {
      const sent = await call('POST', '/webhooks/test', {})
      expect(await sent.json()).toMatchObject({ code: 'WEBHOOK_DELIVERY_ERROR' })
    }
    expect(reached).toEqual([])
  })

  it('of a public server is sent to, or the table would show nothing', async () => {
    expect((await call('PATCH', '/config', { webhookEndpoint: 'https://1.1.1.1/hook' })).status).toBe(200)
    expect((await call('POST', '/webhooks/test', {})).status).toBe(200)
    expect(reached).toHaveLength(1)
  })
})

/** What becomes of every address that an operation takes. A new one has to say so here. */
const addresses: Readonly<Record<string, 'SENT TO' | 'SENT TO IN THE SANDBOX ALONE' | 'ONLY SHOWN'>> = {
  'updatePlatformConfig.webhookEndpoint': 'SENT TO',
  'updatePlatformConfig.logoUrl': 'ONLY SHOWN',
  'operatorCreatePlatform.logoUrl': 'ONLY SHOWN',
  'operatorCreatePlatform.onboardingUrl': 'ONLY SHOWN',
  'operatorUpdateSettings.logoUrl': 'ONLY SHOWN',
  'operatorUpdateSettings.onboardingUrl': 'ONLY SHOWN',
  'createCustomerKycLink.redirectUri': 'ONLY SHOWN',
  'sendTestWebhook.url': 'SENT TO IN THE SANDBOX ALONE',
}

it('every address in the body of an operation is known', () => {
  const found: string[] = []
  const visit = (id: string, schema: unknown, name = '', depth = 0): void => {
    if (typeof schema !== 'object' || schema === null || depth > 20) return
    if ((schema as { format?: string }).format === 'uri') found.push(`${id}.${name}`)
    for (const [key, part] of Object.entries(schema)) {
      if (key === 'properties') {
        for (const [member, inner] of Object.entries(part as object)) visit(id, inner, member, depth + 1)
      } else visit(id, part, name, depth + 1)
    }
  }
  for (const { operation } of routes) visit(operation.id, operation.body)
  expect([...new Set(found)].sort()).toEqual(Object.keys(addresses).sort())
})
