import { simWorld } from '@corridor/testkit/index.ts'
import { expect, it, vi } from 'vitest'
import { compileWhenCalm } from './validate.ts'

it('compiles the remaining schemas half a minute after the start, and none before', async () => {
  const world = simWorld(1)
  const compile = vi.fn()
  const done = compileWhenCalm([compile, compile], world, new AbortController().signal)
  world.passMs(29_999)
  await Promise.resolve()
  expect(compile).not.toHaveBeenCalled()
  world.passMs(1)
  await done
  expect(compile).toHaveBeenCalledTimes(2)
})

it('lets requests in between two schemas', async () => {
  const world = simWorld(1)
  const order: string[] = []
  const first = () => {
    order.push('first')
    setImmediate(() => order.push('request'))
  }
  const done = compileWhenCalm([first, () => order.push('second')], world, new AbortController().signal)
  world.passMs(30_000)
  await done
  expect(order).toEqual(['first', 'request', 'second'])
})

it.each([0, 30_000])('compiles nothing more once the server stops after %i ms', async (stopMs) => {
  const world = simWorld(1)
  const server = new AbortController()
  const second = vi.fn()
  const done = compileWhenCalm([() => server.abort(), second], world, server.signal)
  world.passMs(stopMs)
  if (stopMs === 0) server.abort()
  await done
  expect(second).not.toHaveBeenCalled()
})
