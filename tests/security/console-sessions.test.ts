import { apiVersion } from '@corridor/engine/vocabulary/version.ts'
import { openTestServer, operatorKey, startTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { basic, type Credentials, json } from '../e2e/raw-calls.ts'

/** People in browsers: who gets a session, what it opens, and what it does not. */

const server = await openTestServer()
const minute = 60_000
const own = { 'x-corridor-console': '1' }

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  readonly at?: typeof server
}

async function ask(path: string, { method = 'GET', headers = {}, body, at = server }: Asked = {}) {
  const response = await at.fetch(`http://corridor.test${path}`, {
    method,
    headers: { ...(method === 'GET' ? {} : own), ...(body ? json : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const cookie = response.headers.get('set-cookie')
  return {
    status: response.status,
    headers: response.headers,
    setCookie: cookie,
    cookie: cookie?.split(';')[0] ?? '',
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
  }
}

const signIn = (authorization: string, at = server) =>
  ask('/console/session', { method: 'POST', headers: { authorization }, at })

async function hire(role: string, at = server) {
  const key = { authorization: `Bearer ${operatorKey}` }
  const made = await ask('/operator/operators', {
    method: 'POST',
    headers: key,
    body: { name: role, role },
    at,
  })
  const { joinCode } = made.body
  const joined = await ask('/operator/join', { method: 'POST', body: { joinCode }, at })
  return { id: made.body.id as string, key: `Bearer ${joined.body.key}` }
}

const inBook = ({ platformId, environment }: { platformId: string; environment: string }, path: string) =>
  `/console/api/${platformId}/${environment.toLowerCase()}/${apiVersion}${path}`

const newToken = { name: 'a token', permissions: ['VIEW'] }

describe('a session of a platform', () => {
  it('is a cookie that only the console takes, and sees its own book alone', async () => {
    const [platform, other] = [await server.platform(), await server.platform()]
    const { status, setCookie, cookie, body } = await signIn(basic(platform))
    expect(status).toBe(201)
    expect(setCookie).toMatch(
      /^corridor_console=[A-Za-z0-9_-]{43}; Path=\/console; HttpOnly; SameSite=Strict$/,
    )
    expect(body).toMatchObject({
      platformId: platform.platformId,
      environment: 'SANDBOX',
      idleSeconds: 12 * 60 * 60,
      permissions: ['VIEW', 'TRANSACT', 'MANAGE'],
    })
    expect(JSON.stringify(body)).not.toContain(cookie.split('=')[1])

    const headers = { cookie }
    expect((await ask('/console/session', { headers })).body).toEqual(body)
    expect((await ask(inBook(platform, '/config'), { headers })).status).toBe(200)
    const made = await ask(inBook(platform, '/tokens'), { method: 'POST', headers, body: newToken })
    expect(made.status).toBe(201)
    expect((await ask(inBook(other, '/config'), { headers })).body.details).toEqual({
      reason: 'OTHER_PLATFORM',
    })
    const production = { ...platform, environment: 'PRODUCTION' }
    expect((await ask(inBook(production, '/config'), { headers })).status).toBe(403)
    expect((await ask('/console/api/operator/platforms', { headers })).status).toBe(403)
    // The API knows no cookies, and the console nothing else.
    expect((await ask(`/${apiVersion}/config`, { headers })).status).toBe(401)
    expect((await ask('/operator/platforms', { headers })).status).toBe(401)
    const refused = await ask(inBook(platform, '/config'), { headers: { authorization: basic(platform) } })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Cookie realm="console"')
  })

  it('ends with a sign-out, with its token, and unused after its time', async () => {
    const platform = await server.platform()
    const { data: token } = await server.client(platform).POST('/tokens', {
      body: { name: 'of a person', permissions: ['VIEW'] },
    })
    const [first, second] = [
      await signIn(basic(token as Credentials)),
      await signIn(basic(token as Credentials)),
    ]
    const path = inBook(platform, '/config')
    const out = await ask('/console/session', { method: 'DELETE', headers: { cookie: first.cookie } })
    expect(out).toMatchObject({ status: 204, setCookie: expect.stringContaining('Max-Age=0') })
    expect((await ask(path, { headers: { cookie: first.cookie } })).status).toBe(401)
    expect((await ask(path, { headers: { cookie: second.cookie } })).status).toBe(200)
    const id = (token as { id: string }).id
    await ask(`/${apiVersion}/tokens/${id}`, {
      method: 'DELETE',
      headers: { authorization: basic(platform) },
    })
    expect((await ask(path, { headers: { cookie: second.cookie } })).status).toBe(401)

    const { cookie } = await signIn(basic(platform))
    for (let use = 0; use < 3; use++) {
      server.world.passMs(11 * 60 * minute)
      expect((await ask(path, { headers: { cookie } })).status).toBe(200)
    }
    server.world.passMs(12 * 60 * minute)
    expect((await ask(path, { headers: { cookie } })).status).toBe(401)
  })

  it('of production ends after half an hour, and changes nothing five minutes after the sign-in', async () => {
    const platform = await server.platform({ environment: 'PRODUCTION' })
    const { cookie, body } = await signIn(basic(platform))
    expect(body.idleSeconds).toBe(30 * 60)
    const headers = { cookie }
    const write = () => ask(inBook(platform, '/tokens'), { method: 'POST', headers, body: newToken })
    expect((await write()).status).toBe(201)
    server.world.passMs(5 * minute)
    expect((await write()).body).toMatchObject({ status: 403, details: { reason: 'SIGN_IN_AGAIN' } })
    expect((await ask(inBook(platform, '/config'), { headers })).status).toBe(200)
    server.world.passMs(30 * minute)
    expect((await ask(inBook(platform, '/config'), { headers })).status).toBe(401)
  })
})

describe('a link', () => {
  const linkOf = async (authorization: string) => {
    const { status, body } = await ask('/console/start-link', { method: 'POST', headers: { authorization } })
    expect(status).toBe(201)
    const [path, token] = (body.path as string).split('#t=')
    expect(path).toBe('/console/')
    return token!
  }
  const start = (token: unknown, headers = {}) =>
    ask('/console/session/start', { method: 'POST', body: { token }, headers })

  it('signs in whoever opens it first, and nobody after that', async () => {
    const platform = await server.platform()
    const token = await linkOf(basic(platform))
    const opened = await Promise.all([start(token), start(token), start(token)])
    expect(opened.map(({ status }) => status).sort()).toEqual([201, 401, 401])
    // Browsers ask for a name and a password where a scheme of theirs is wanted.
    const refused = opened.find(({ status }) => status === 401)!
    expect(refused.headers.get('www-authenticate')).toBe('Cookie realm="console"')
    const { cookie, body } = opened.find(({ status }) => status === 201)!
    expect(body).toMatchObject({ platformId: platform.platformId, environment: 'SANDBOX' })
    expect((await ask(inBook(platform, '/tokens'), { headers: { cookie } })).status).toBe(200)
    expect((await ask('/console/session', { method: 'DELETE', headers: { cookie } })).status).toBe(204)
    expect((await start(token)).status).toBe(401)
  })

  it('replaces no session of something else unasked, names its platform, and ends that session once asked', async () => {
    const [mine, attackers] = [await server.platform(), await server.platform()]
    const { cookie } = await signIn(basic(mine))
    const token = await linkOf(basic(attackers))
    const refused = await start(token, { cookie })
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'SIGNED_IN', platformName: expect.any(String) } },
    })
    expect(refused.headers.get('set-cookie')).toBeNull()
    expect((await ask(inBook(mine, '/tokens'), { headers: { cookie } })).status).toBe(200)
    const replacing = await ask('/console/session/start', {
      method: 'POST',
      body: { token, replaces: true },
      headers: { cookie },
    })
    expect(replacing).toMatchObject({ status: 201, body: { platformId: attackers.platformId } })
    expect((await ask(inBook(mine, '/tokens'), { headers: { cookie } })).status).toBe(401)
    const again = await start(await linkOf(basic(attackers)), { cookie: replacing.cookie })
    expect(again.status).toBe(201)
  })

  it('is over after ten minutes, and with the token that made it', async () => {
    const platform = await server.platform()
    const old = await linkOf(basic(platform))
    server.world.passMs(10 * minute)
    expect((await start(old)).status).toBe(401)
    const made = await ask(inBook(platform, '/tokens').replace(/^.*(?=\/tokens)/, `/${apiVersion}`), {
      method: 'POST',
      headers: { authorization: basic(platform) },
      body: newToken,
    })
    const other = { ...platform, clientId: made.body.clientId, clientSecret: made.body.clientSecret }
    const kept = await linkOf(basic(other))
    const ended = await ask(`/${apiVersion}/tokens/${made.body.id}`, {
      method: 'DELETE',
      headers: { authorization: basic(platform) },
    })
    expect(ended.status).toBe(204)
    expect((await start(kept)).status).toBe(401)
  })

  it('is nothing that anybody else could have made', async () => {
    const [platform, other] = [await server.platform(), await server.platform()]
    const token = await linkOf(basic(platform))
    const [text, tag] = token.split('.') as [string, string]
    const said = JSON.parse(Buffer.from(text, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...said, platformId: other.platformId })).toString(
      'base64url',
    )
    for (const wrong of [`${forged}.${tag}`, `${text}.${tag.slice(0, -1)}`, `${text}A.${tag}`, 'AAAA.AAAA']) {
      expect((await start(wrong)).status, wrong).toBe(401)
    }
    for (const nonsense of ['', 'a', 'a.b.c', `${'a'.repeat(900)}.b`, 7, null]) {
      expect((await start(nonsense)).status, String(nonsense)).toBe(400)
    }
    expect((await start(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await start(token, { origin: 'https://evil.example' })).status).toBe(403)
    const withoutHeader = await server.fetch('http://corridor.test/console/session/start', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ token }),
    })
    expect(withoutHeader.status).toBe(403)
    expect((await start(token)).status).toBe(201)
  })

  it('is made for the token of a sandbox alone', async () => {
    const asks = (headers: Readonly<Record<string, string>>) =>
      ask('/console/start-link', { method: 'POST', headers })
    const production = await server.platform({ environment: 'PRODUCTION' })
    expect((await asks({ authorization: basic(production) })).status).toBe(403)
    expect((await asks({ authorization: `Bearer ${operatorKey}` })).status).toBe(403)
    const { cookie } = await signIn(basic(await server.platform()))
    expect((await asks({ cookie })).status).toBe(403)
    expect((await asks({})).status).toBe(401)
  })
})

describe('what a page of somebody else makes a browser send', () => {
  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site', ...own }],
    ['of another host of the site', { 'sec-fetch-site': 'same-site', ...own }],
    ['with another origin', { origin: 'http://evil.test', ...own }],
    ['with an origin that is none', { origin: 'null', ...own }],
    ['with the scheme alone as its origin', { origin: 'http:', ...own }],
    ['with less than our origin', { origin: 'http:/', ...own }],
  ])('is refused %s', async (_name, sent) => {
    const platform = await server.platform()
    const { cookie } = await signIn(basic(platform))
    for (const [path, method] of [
      [inBook(platform, '/tokens'), 'POST'],
      [inBook(platform, '/config'), 'GET'],
      ['/console/session', 'DELETE'],
      ['/console/session', 'POST'],
    ] as const) {
      const { status, body, headers } = await ask(path, {
        method,
        headers: { cookie, authorization: basic(platform), ...sent },
        ...(path.endsWith('/tokens') ? { body: newToken } : {}),
      })
      expect({ status, reason: body.details.reason }).toEqual({ status: 403, reason: 'CROSS_SITE' })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
    const same = { cookie, 'sec-fetch-site': 'same-origin', origin: 'http://corridor.test' }
    const host = { host: 'corridor.test' }
    expect((await ask(inBook(platform, '/config'), { headers: { ...same, ...host } })).status).toBe(200)
  })

  it('changes nothing without the header that only our page sends', async () => {
    const platform = await server.platform()
    const { cookie } = await signIn(basic(platform))
    const response = await server.fetch(`http://corridor.test${inBook(platform, '/tokens')}`, {
      method: 'POST',
      headers: { cookie, ...json },
      body: JSON.stringify(newToken),
    })
    expect(response.status).toBe(403)
    const { data } = await server.client(platform).GET('/tokens')
    expect(data?.data.map(({ name }) => name)).not.toContain('a token')
  })
})

describe('a session of an operator', () => {
  it('has the operator API by its role, and looks into platforms from REVIEWER on', async () => {
    const platform = await server.platform()
    const may = async (role: string) => {
      // With another administrator the others would wait for a second person.
      const isFirst = role === 'ADMINISTRATOR'
      const { cookie, body } = await signIn(isFirst ? `Bearer ${operatorKey}` : (await hire(role)).key)
      expect(body).toMatchObject({
        role,
        subject: isFirst ? 'operator' : expect.stringMatching(/^Operator:/),
      })
      const headers = { cookie }
      const write = (path: string, sent: object) =>
        ask(inBook(platform, path), { method: 'POST', headers, body: sent })
      return {
        platforms: (await ask('/console/api/operator/platforms', { headers })).status,
        proposals: (await ask('/console/api/operator/proposals', { headers })).status,
        sees: (await ask(inBook(platform, '/config'), { headers })).status,
        transacts: (await write('/quotes', {})).status,
        manages: (await write('/tokens', newToken)).status,
      }
    }
    const [yes, no] = [200, 403]
    expect(await may('VIEWER')).toEqual({
      platforms: yes,
      proposals: no,
      sees: no,
      transacts: no,
      manages: no,
    })
    // Of proposals those about reviews (review-terms.test.ts).
    expect(await may('REVIEWER')).toMatchObject({ proposals: yes, sees: yes, transacts: no, manages: no })
    expect(await may('OPERATOR')).toMatchObject({ proposals: yes, sees: yes, transacts: 400, manages: no })
    expect(await may('ADMINISTRATOR')).toMatchObject({ sees: yes, transacts: 400, manages: 201 })
  })

  it('changes nothing in the book of a platform in production', async () => {
    const platform = await server.platform({ environment: 'PRODUCTION' })
    const { cookie } = await signIn(`Bearer ${operatorKey}`)
    const headers = { cookie }
    expect((await ask(inBook(platform, '/config'), { headers })).status).toBe(200)
    expect((await ask(inBook(platform, '/tokens'), { method: 'POST', headers, body: newToken })).status).toBe(
      403,
    )
  })

  it('changes nothing five minutes after the sign-in, also in a sandbox, once there is production', async () => {
    await server.platform({ environment: 'PRODUCTION' })
    const platform = await server.platform()
    const { cookie } = await signIn(`Bearer ${operatorKey}`)
    const headers = { cookie }
    const write = (path: string) => ask(path, { method: 'POST', headers, body: newToken })
    expect((await write(inBook(platform, '/tokens'))).status).toBe(201)
    server.world.passMs(5 * minute)
    for (const path of [inBook(platform, '/tokens'), '/console/api/operator/platforms']) {
      expect((await write(path)).body).toMatchObject({ status: 403, details: { reason: 'SIGN_IN_AGAIN' } })
    }
    expect((await ask(inBook(platform, '/config'), { headers })).status).toBe(200)
  })

  it('is on record with whatever it looks at', async () => {
    const platform = await server.platform()
    const { id, key } = await hire('REVIEWER')
    const { cookie } = await signIn(key)
    await ask(inBook(platform, '/customers'), { headers: { cookie } })
    const { body } = await ask(`/operator/audit-log?actor=${encodeURIComponent(id)}`, {
      headers: { authorization: `Bearer ${operatorKey}` },
    })
    const lines = body.data.map(({ operation, platformId }: Record<string, string>) => [
      operation,
      platformId,
    ])
    expect(lines).toContainEqual(['listCustomers', platform.platformId])
    expect(lines.map(([operation]: string[]) => operation)).toContain('openConsoleSession')
  })

  it('ends with the account, with another key and by an administrator, for every process', async () => {
    const beside = await startTestServer({ beside: server })
    try {
      const sees = async (cookie: string) =>
        (await ask('/console/session', { headers: { cookie }, at: beside })).status
      const authorization = `Bearer ${operatorKey}`
      const [gone, renewed, ended] = [await hire('VIEWER'), await hire('VIEWER'), await hire('VIEWER')]
      const cookies = [await signIn(gone.key), await signIn(renewed.key), await signIn(ended.key)].map(
        ({ cookie }) => cookie,
      )
      for (const cookie of cookies) expect(await sees(cookie)).toBe(200)
      const end = (path: string) => ask(path, { method: 'DELETE', headers: { authorization } })
      await end(`/operator/operators/${gone.id}`)
      await ask('/operator/me/key', { method: 'POST', headers: { authorization: renewed.key } })
      const { body } = await ask('/operator/sessions?limit=100', { headers: { authorization } })
      const open = body.data.find(({ subject }: { subject: string }) => subject === ended.id)
      expect(JSON.stringify(body)).not.toContain('Hash')
      expect((await end(`/operator/sessions/${open.id}`)).status).toBe(204)
      expect((await end('/operator/sessions/none')).status).toBe(404)
      for (const cookie of cookies) expect(await sees(cookie)).toBe(401)
    } finally {
      await beside.close({ audited: false })
    }
  })

  it('is not opened by a secret that this process remembers and another has replaced or ended', async () => {
    const platform = await server.platform()
    const path = inBook(platform, '/config')
    for (const [what, change] of [
      ['replaced', 'secret_hash = reverse(secret_hash), former_secret_hash = null'],
      ['ended', 'deleted_at = created_at'],
    ]) {
      const { data } = await server.client(platform).POST('/tokens', {
        body: { name: 'of a person', permissions: ['VIEW'] },
      })
      const token = data as Credentials & { id: string }
      const knows = () => ask(`/${apiVersion}/config`, { headers: { authorization: basic(token) } })
      expect((await knows()).status).toBe(200)
      await server.rows(`update tokens set ${change} where id = $1`, [token.id])
      // It still takes it for good, for as long as it remembers.
      expect([what, (await knows()).status]).toEqual([what, 200])
      const refused = await signIn(basic(token))
      expect([what, refused.status, refused.setCookie]).toEqual([what, 401, null])
      expect((await ask(path, { headers: { cookie: refused.cookie } })).status).toBe(401)
    }
  })

  it('is not opened by a session, nor by nobody', async () => {
    const { cookie } = await signIn(`Bearer ${operatorKey}`)
    const again = await ask('/console/session', { method: 'POST', headers: { cookie } })
    expect(again.body).toMatchObject({ status: 403, details: { reason: 'NO_CREDENTIAL' } })
    for (const authorization of ['Bearer wrong', 'Basic d3Jvbmc6d3Jvbmc=', '']) {
      const refused = await signIn(authorization)
      expect(refused).toMatchObject({ status: 401, setCookie: null })
      expect(refused.headers.get('www-authenticate')).toBe('Cookie realm="console"')
    }
  })
})

describe('why something is done', () => {
  it('goes along with what one proposes and another approves, unless that one says another', async () => {
    const [ann, bob] = [await hire('OPERATOR'), await hire('OPERATOR')]
    const book = await server.platform()
    const api = server.client(book)
    const { data } = await api.GET('/platform/internal-accounts', {})
    const id = data!.data[0]!.id
    const post = (path: string, cookie: string, reason?: string) =>
      ask(`/console/api/operator/${path}`, {
        method: 'POST',
        headers: { cookie, ...(reason === undefined ? {} : { 'x-corridor-reason': reason }) },
      })
    for (const [own, kept] of [
      [undefined, 'Ticket 41'],
      ['Called%20back', 'Called back'],
    ] as const) {
      const cookies = [(await signIn(ann.key)).cookie, (await signIn(bob.key)).cookie] as const
      await post(`internal-accounts/${id}/freeze`, cookies[0])
      const proposed = await post(`internal-accounts/${id}/release`, cookies[0], 'Ticket%2041')
      expect(proposed.status).toBe(202)
      const listed = await ask('/operator/proposals', { headers: { authorization: bob.key } })
      expect(listed.body.data[0]).toMatchObject({ id: proposed.body.id, reason: 'Ticket 41' })
      expect((await post(`proposals/${proposed.body.id}/approve`, cookies[1], own)).status).toBe(200)
      const log = await ask(`/operator/audit-log?actor=${encodeURIComponent(bob.id)}`, {
        headers: { authorization: `Bearer ${operatorKey}` },
      })
      const lines = log.body.data as { operation: string; reason?: string }[]
      const told = lines
        .filter(({ operation }) =>
          ['operatorApproveProposal', 'operatorReleaseInternalAccount'].includes(operation),
        )
        .slice(0, 2)
      expect(told.map(({ reason }) => reason)).toEqual([kept, kept])
    }
  })

  const reasonsOf = async (platformId: string) => {
    const { body } = await ask(`/operator/audit-log?platformId=${platformId}&operation=createToken`, {
      headers: { authorization: `Bearer ${operatorKey}` },
    })
    return (body.data as { outcome: string; reason?: string }[]).map(({ outcome, reason }) => [
      outcome,
      reason,
    ])
  }

  it('is in the audit log where somebody at the console says it, and nowhere else', async () => {
    const platform = await server.platform({ environment: 'PRODUCTION' })
    const { cookie } = await signIn(basic(platform))
    const because = (reason: string) => ({
      method: 'POST',
      headers: { cookie, 'x-corridor-reason': reason },
      body: newToken,
    })
    const longest = 'ä'.repeat(200)
    for (const reason of ['Ticket%2041', encodeURIComponent(longest), ' ']) {
      expect((await ask(inBook(platform, '/tokens'), because(reason))).status).toBe(201)
    }
    // Programs say nothing: theirs would be a place for whatever they send.
    const theirs = await ask(`/${apiVersion}/tokens`, {
      method: 'POST',
      headers: { authorization: basic(platform), 'x-corridor-reason': 'unread' },
      body: newToken,
    })
    expect(theirs.status).toBe(201)
    expect(await reasonsOf(platform.platformId)).toEqual([
      ['DONE', undefined],
      ['DONE', undefined],
      ['DONE', longest],
      ['DONE', 'Ticket 41'],
    ])
  })

  it.each([
    ['not encoded', '%'],
    ['with a line feed', 'a%0Ab'],
    ['with a NUL', '%00'],
    ['whose direction turns', 'a%E2%80%AEb'],
    ['of two lines', 'a%E2%80%A8b'],
    ['with what is not seen', 'a%F3%A0%81%81'],
    ['with a space of no width', 'a%E2%80%8Bb'],
    ['with a mark of direction', 'a%E2%80%8Fb'],
    ['with a letter of nothing', 'a%E3%85%A4b'],
    ['with a hyphen that is not seen', 'a%C2%ADb'],
    ['with marks upon marks', `a${'%CC%81'.repeat(40)}`],
    ['too long', 'x'.repeat(201)],
    ['far too long', '%20'.repeat(900)],
  ])('is refused with the other wrong fields: %s', async (_why, reason) => {
    const platform = await server.platform()
    const { cookie } = await signIn(basic(platform))
    const { status, body } = await ask(inBook(platform, '/tokens'), {
      method: 'POST',
      headers: { cookie, 'x-corridor-reason': reason },
      body: { ...newToken, permissions: 'all' },
    })
    expect(status).toBe(400)
    const fields = (body.details.errors as { field: string }[]).map(({ field }) => field)
    expect(fields).toContain('x-corridor-reason')
    expect(fields).toContain('permissions')
    expect(await reasonsOf(platform.platformId)).toEqual([])
  })
})
