import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The measure of `hostile-requests.test.ts` measures: what holds an event loop up is seen, for as long as it does. */

/** What the probe says of a program that runs `work` once, some turns after its start. */
async function pauseOf(work: string): Promise<number> {
  const program = `
    const { pbkdf2 } = await import('node:crypto')
    const compute = (ms) => {
      const used = () => process.cpuUsage().user + process.cpuUsage().system
      for (const until = used() + ms * 1000; used() < until; );
    }
    const turn = () => new Promise((resolve) => setTimeout(resolve, 30))
    process.channel.ref()
    process.once('message', async () => {
      await turn()
      ${work}
      await turn()
      process.send('done')
    })
    process.send('started')`
  const arguments_ = [
    '--import',
    join(import.meta.dirname, 'probe.mjs'),
    '--input-type=module',
    '-e',
    program,
  ]
  const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  try {
    return await new Promise((resolve, reject) => {
      let isDone = false
      child.once('exit', reject)
      child.on('message', (message: string | { pauseMs: number }) => {
        if (message === 'started') child.send('reset')
        else if (message === 'done') {
          isDone = true
          child.send('read')
        } else if (isDone && typeof message === 'object') resolve(message.pauseMs)
      })
    })
  } finally {
    child.removeAllListeners('exit')
    child.kill('SIGKILL')
  }
}

describe('the probe', () => {
  it('sees how long one turn of the event loop computes', async () => {
    expect(await pauseOf('compute(250)')).toBeGreaterThan(200)
  })

  it('adds no turns up', async () => {
    const turns = 'for (let turns = 0; turns < 25; turns++) { compute(10); await turn() }'
    expect(await pauseOf(turns)).toBeLessThan(100)
  })

  it('counts nothing that other threads compute', async () => {
    const elsewhere = `await Promise.all(Array.from({ length: 4 }, () =>
      new Promise((resolve) => pbkdf2('a', 'b', 200_000, 64, 'sha512', resolve))))`
    expect(await pauseOf(elsewhere)).toBeLessThan(100)
  })
})
