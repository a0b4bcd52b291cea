import { simWorld } from '@corridor/testkit/sim-world.ts'
import { expect, it, vi } from 'vitest'
import type { Operation } from '../../vocabulary/operation.ts'
import { createFormCompiler } from './form-compiler.ts'

const [quotes, transfers] = [{ id: 'quotes' }, { id: 'transfers' }] as unknown as [Operation, Operation]
const running = () => new AbortController().signal

it('compiles the remaining forms half a minute after the start, and none before', async () => {
  const world = simWorld(1)
  const compiled: string[] = []
  const compiler = createFormCompiler(
    new Map([
      [quotes, [() => compiled.push('quotes')]],
      [transfers, [() => compiled.push('transfers')]],
    ]),
  )
  const done = compiler.prepareWhenCalm(world, running())
  world.passMs(29_999)
  await Promise.resolve()
  expect(compiled).toEqual([])
  world.passMs(1)
  await done
  expect(compiled).toEqual(['quotes', 'transfers'])
})

it('compiles a part that two operations share once', async () => {
  const part = vi.fn()
  const compiler = createFormCompiler(
    new Map([
      [quotes, [part]],
      [transfers, [part]],
    ]),
  )
  await compiler.prepare(quotes)
  await compiler.prepare(transfers)
  expect(part).toHaveBeenCalledTimes(1)
})

it('lets requests in between two forms, also of operations that are first called at once', async () => {
  const order: string[] = []
  const compiling = (name: string) => () => {
    order.push(name)
    setImmediate(() => order.push('request'))
  }
  const compiler = createFormCompiler(
    new Map([
      [quotes, [compiling('body'), compiling('response')]],
      [transfers, [compiling('other body')]],
    ]),
  )
  await Promise.all([compiler.prepare(quotes), compiler.prepare(transfers), compiler.prepare(quotes)])
  expect(order.filter((_, index) => index % 2 === 0).sort()).toEqual(['body', 'other body', 'response'])
  expect(order.slice(0, 5).filter((_, index) => index % 2 === 1)).toEqual(['request', 'request'])
})

it('has nothing to prepare for an operation that is compiled', async () => {
  const compile = vi.fn()
  const compiler = createFormCompiler(new Map([[quotes, [compile]]]))
  await compiler.prepare(quotes)
  expect(compiler.prepare(quotes)).toBeUndefined()
  expect(compiler.prepare(transfers)).toBeUndefined()
  expect(compile).toHaveBeenCalledTimes(1)
})

it.each([0, 30_000])('compiles nothing more once the server stops after %i ms', async (stopMs) => {
  const world = simWorld(1)
  const server = new AbortController()
  const second = vi.fn()
  const compiler = createFormCompiler(
    new Map([
      [quotes, [() => server.abort()]],
      [transfers, [second]],
    ]),
  )
  const done = compiler.prepareWhenCalm(world, server.signal)
  world.passMs(stopMs)
  if (stopMs === 0) server.abort()
  await done
  expect(second).not.toHaveBeenCalled()
})
