import { describe, expect, it } from 'vitest'
import document from '../../openapi/openapi.json' with { type: 'json' }

// A generated guide, console or client shows what stands here: recorded in a run, for every operation.

interface Media {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
type Content = Readonly<Record<string, Media>>
interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

const paths = document.paths as unknown as Record<string, Record<string, Operation>>
const operations = Object.values(paths).flatMap((path) => Object.values(path))
const schemas = document.components.schemas as unknown as Record<
  string,
  { discriminator?: { mapping: Record<string, string> }; examples?: { type: string }[] }
>

function shownIn(content: Content | undefined): unknown[] {
  return Object.values(content ?? {}).flatMap(({ example, examples = {} }) => [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map(({ value }) => value),
  ])
}

describe('the published document', () => {
  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'shows a request of %s, an answer of each kind and what it refuses',
    (_id, { requestBody, responses }) => {
      if (requestBody) expect(shownIn(requestBody.content)).not.toEqual([])
      const refused: unknown[] = []
      for (const [status, { description, content }] of Object.entries(responses)) {
        const shown = shownIn(content)
        if (status < '300' && content) expect(shown, status).not.toEqual([])
        if (status < '400') continue
        for (const [code, { value }] of Object.entries(content!['application/json']!.examples ?? {})) {
          expect(value).toMatchObject({ status: Number(status), code })
          expect(description).toContain(`\`${code}\``)
        }
        refused.push(...shown)
      }
      expect(refused).not.toEqual([])
    },
  )

  it('shows a request for every type of account', () => {
    const { content } = paths['/customers/external-accounts']!.post!.requestBody!
    const { mapping } = schemas.ExternalAccountCreateInfo!.discriminator!
    const shown = shownIn(content) as { accountInfo: { accountType: string } }[]
    // Two names of one type have one example.
    const variants = new Set(Object.values(mapping))
    expect(variants.size).toBeGreaterThan(40)
    expect(new Set(shown.map(({ accountInfo }) => mapping[accountInfo.accountType]))).toEqual(variants)
  })

  it('shows events of every family that the sandbox can make happen', () => {
    const shown = Object.values(schemas).flatMap(({ examples = [] }) => examples.map(({ type }) => type))
    for (const type of ['OUTGOING_PAYMENT.COMPLETED', 'INCOMING_PAYMENT.PENDING', 'CUSTOMER.KYC_APPROVED']) {
      expect(shown).toContain(type)
    }
  })

  it('shows nothing that looks like a secret', () => {
    const secret = /secret|accessToken|totpUri|recoveryCodes|panEmbedUrl|signingKey|liveness/i
    const seen: string[] = []
    const look = (value: unknown, name = '') => {
      if (typeof value === 'string' && secret.test(name) && !/\(\w+\)$/.test(value))
        seen.push(`${name} ${value}`)
      if (Array.isArray(value)) for (const each of value) look(each, name)
      else if (typeof value === 'object' && value !== null) {
        for (const [key, part] of Object.entries(value)) look(part, key)
      }
    }
    for (const { requestBody, responses } of operations) {
      for (const shown of shownIn(requestBody?.content)) look(shown)
      for (const { content } of Object.values(responses)) for (const shown of shownIn(content)) look(shown)
    }
    expect(seen).toEqual([])
  })
})
