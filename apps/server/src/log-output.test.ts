import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** What the log of a process leaves behind, seen from outside. */

const realWorld = new URL('./real-world.ts', import.meta.url).href

function start(program: string) {
  const text = `import { jsonLog } from '${realWorld}'\nconst log = jsonLog('info')\n${program}`
  const options = ['--import', 'tsx', '--conditions', 'development', '--input-type=module', '-e', text]
  return spawn(process.execPath, options, {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
  })
}

interface Line {
  readonly level: string
  readonly n: number
  readonly heapMb?: number
}

async function linesOf(child: ReturnType<typeof start>): Promise<Line[]> {
  let printed = ''
  for await (const chunk of child.stdout) printed += chunk
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

const numbers = (lines: readonly Line[]) => lines.map(({ n }) => n)
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

test('nothing is lost when the process ends by itself', async () => {
  const child = start('for (let n = 0; n < 5_000; n++) log.info({ n }, "line")\nprocess.exit(0)')
  expect(numbers(await linesOf(child))).toEqual(upTo(5_000))
})

test('what is more than may wait holds the process up, and nothing is lost', async () => {
  // 20 MB, and a pipe takes 64 KB.
  const child = start(`
    const text = 'x'.repeat(1_000)
    for (let n = 0; n < 20_000; n++) log.info({ n, text }, 'line')
    log.info({ n: 20_000, heapMb: process.memoryUsage().external / 1e6 + process.memoryUsage().heapUsed / 1e6 }, 'end')`)
  const lines = await linesOf(child)
  expect(numbers(lines)).toEqual(upTo(20_001))
  expect(lines.at(-1)!.heapMb).toBeLessThan(100)
})

test('an error is there at once, and what is usual soon after', async () => {
  const child = start(`
    log.info({ n: 0 }, 'usual')
    setInterval(() => {}, 60_000)
    process.once('SIGUSR2', () => log.error({ n: 1 }, 'worse'))`)
  const seen: Line[] = []
  const first = await new Promise<Line>((resolve) => {
    child.stdout.on('data', (chunk) => {
      for (const line of String(chunk).trim().split('\n')) seen.push(JSON.parse(line))
      resolve(seen[0]!)
    })
  })
  expect(first).toMatchObject({ level: 'info', n: 0 })
  const worse = new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGUSR2')
  await worse
  expect(seen.at(-1)).toMatchObject({ level: 'error', n: 1 })
  child.kill('SIGKILL')
})
