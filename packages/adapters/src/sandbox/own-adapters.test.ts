import type { Adapters } from '@corridor/engine/ports/adapters.ts'
import { expect, it } from 'vitest'
import { sandboxAdapters } from './index.ts'

const given = ['rates', 'webhooks', 'peers']

function open(): Adapters {
  return sandboxAdapters({
    rates: {} as never,
    webhooks: {} as never,
    peers: {} as never,
    baseUrl: 'http://localhost',
    showsEndpointAnswers: false,
    umaDomains: ['example.com'],
    stepMs: 1,
  })
}

/** The objects with methods that a caller could replace. */
function portsOf(adapters: Adapters): Map<string, object> {
  const { factors, rules: _, ...others } = adapters
  const ports = new Map<string, object>()
  for (const [name, port] of Object.entries({
    ...others,
    ofRail: adapters.rail('ACH'),
    ofInstructions: adapters.instructions('USD'),
    totp: factors.totp,
    liveness: factors.liveness,
  }))
    if (typeof port === 'object' && !given.includes(name)) ports.set(name, port)
  return ports
}

it('shares no adapter between two installations', () => {
  const [one, other] = [portsOf(open()), portsOf(open())]
  const shared = [...one].filter(([name, port]) => other.get(name) === port).map(([name]) => name)
  expect(one.size).toBeGreaterThan(10)
  expect(shared).toEqual([])
})
