import type { RailClient } from '@corridor/engine/ports/rail.ts'
import { simWorld } from '@corridor/testkit/sim-world.ts'
import { describe, expect, it } from 'vitest'
import { connectRails, railAdapter } from './rail-adapter.ts'

const client = {} as RailClient
const seen: unknown[] = []
const rtp = railAdapter({
  id: 'RTP',
  settings: ['URL', 'KEY'],
  connect(world, { URL, KEY }) {
    seen.push([world, URL, KEY])
    return client
  },
})
const pix = railAdapter({ id: 'PIX', settings: [], connect: () => client })

describe('connectRails', () => {
  it('gives a client the World and its own settings', () => {
    const world = simWorld(1)
    const clients = connectRails([rtp], world, { RTP_URL: 'https://rtp', RTP_KEY: 'k', PIX_KEY: 'x' })
    expect(clients.get('RTP')).toBe(client)
    expect(seen).toEqual([[world, 'https://rtp', 'k']])
  })

  it('leaves out what has no settings, and keeps what needs none', () => {
    expect([...connectRails([rtp, pix], simWorld(1), {}).keys()]).toEqual(['PIX'])
  })

  it('refuses half of the settings, by their names', () => {
    expect(() => connectRails([rtp], simWorld(1), { RTP_URL: 'https://rtp' })).toThrow(
      'CORRIDOR_RAIL_RTP_KEY: required with the other settings of the rail',
    )
  })
})
