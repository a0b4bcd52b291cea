import type { Background } from '@corridor/engine/assembly/background.ts'
import type { Route } from '@corridor/engine/mechanisms/feature/bound.ts'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import type { People } from '@corridor/engine/mechanisms/http/admission.ts'
import type { Authenticator } from '@corridor/engine/mechanisms/http/authenticate.ts'
import { createServer } from '@corridor/engine/mechanisms/http/server.ts'
import type { SharedForms } from '@corridor/engine/mechanisms/http/validate.ts'
import { type Attention, createAttention } from '@corridor/engine/mechanisms/jobs/attention.ts'
import { apiVersion } from '@corridor/engine/vocabulary/version.ts'
import type { FastifyInstance } from 'fastify'
import type { Facts, Served } from './served.ts'

/**
 * Answers for a fork: its platforms and what people look at. Whoever runs the installation does so in the main world, and
 * whoever looks into a fork with the console is signed in there: sessions that were copied count for nothing.
 */
export async function serveFork(
  engine: Engine,
  { name, used = () => {} }: Facts,
  parts: {
    readonly routes: readonly Route[]
    readonly forms: SharedForms
    /** The main world as it is served at that moment. */
    readonly main: () => Engine
    /** Whether operators may sign in to the console where the main world is. */
    readonly admitsOperators: boolean
    readonly pages: (server: FastifyInstance) => void
    readonly inBackground: (engine: Engine, attention: Attention) => Background
  },
): Promise<Served> {
  const { routes, forms, main, admitsOperators, pages, inBackground } = parts
  const server = await createServer({
    engine,
    authenticator: telling(engine.authenticator, used),
    isOperatorKey: () => false,
    notReady: async () => undefined,
    routes,
    forms,
    showsMetrics: false,
    admitsOperators,
    people: () => tellingWhoLooks(main(), used),
    pages(fastify) {
      belowPrefix(fastify, `/w/${name}`)
      pages(fastify)
    },
  })
  // Tests leave many forks open, and one that nobody asks anything of is to cost nothing.
  const attention = createAttention(engine.world)
  const background = inBackground(engine, attention)
  return {
    engine,
    handle(request, response) {
      attention.pay()
      // Pages have their links changed on the way out, which takes readable text.
      if (!isOfApi.test(request.url ?? '')) delete request.headers['accept-encoding']
      server.routing(request, response)
    },
    rest: (options) => background.stop(options),
    close: async () => void (await server.close()),
  }
}

const isOfApi = new RegExp(`^/(?:${apiVersion}|console/api)/`)

/** Says when somebody may enter. */
function telling(authenticator: Authenticator, used: () => void): Authenticator {
  const told = <R extends { readonly ok: boolean }>(result: R): R => {
    if (result.ok) used()
    return result
  }
  return {
    basic: async (header, source) => told(await authenticator.basic(header, source)),
    agent: async (header, source) => told(await authenticator.agent(header, source)),
    operator: async (header, source, isKey) => told(await authenticator.operator(header, source, isKey)),
    forget: (clientId) => authenticator.forget(clientId),
  }
}

/** The same of whoever looks into the fork with the console, but not of a page that nobody is at. */
function tellingWhoLooks(main: People, used: () => void): People {
  const { auditLog, consoleSessions } = main
  return {
    auditLog,
    consoleSessions: {
      ...consoleSessions,
      async find(token, options) {
        const session = await consoleSessions.find(token, options)
        if (session && options?.isUse !== false) used()
        return session
      },
    },
  }
}

/** Pages link to their own addresses from the root, and the root of a fork is not that of the listener. */
function belowPrefix(server: FastifyInstance, prefix: string): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    const location = reply.getHeader('location')
    if (typeof location === 'string' && location.startsWith('/')) reply.header('location', prefix + location)
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
    if (!isPage || typeof payload !== 'string') return done(null, payload)
    done(null, payload.replace(/( (?:href|src|action)=")\/(?!\/)/g, `$1${prefix}/`))
  })
}
