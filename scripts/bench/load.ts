/** Sends requests over a fixed number of keep-alive connections, one at a time on each. */
import { Pool } from 'undici'

export interface LoadRequest {
  readonly path: string
  /** Posted; without one it is a GET. */
  readonly body?: unknown
}

export interface LoadRun {
  readonly origin: string
  readonly authorization: string
  readonly connections: number
  readonly seconds: number
  /** Taken in turn. Without `repeats` each is sent once, and the run ends with the last. */
  readonly requests: readonly LoadRequest[]
  readonly repeats: boolean
  /** Whether each request comes with a key of its own. */
  readonly isIdempotent: boolean
  /** The status of success; the first other one ends the run. */
  readonly expect: readonly number[]
  /** A field of the answers to hand back. */
  readonly collect?: string
}

export interface LoadResult {
  readonly count: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly collected: string[]
}

async function main(run: LoadRun): Promise<LoadResult> {
  const pool = new Pool(run.origin, { connections: run.connections, pipelining: 1 })
  const bodies = run.requests.map(({ path, body }) => ({
    path,
    body: body === undefined ? null : JSON.stringify(body),
  }))
  const latencies: number[] = []
  const collected: string[] = []
  const startedAt = performance.now()
  const until = startedAt + run.seconds * 1000
  let next = 0

  async function connection(): Promise<void> {
    while (performance.now() < until) {
      const index = next++
      if (index >= bodies.length && !run.repeats) return
      const { path, body } = bodies[index % bodies.length]!
      const sentAt = performance.now()
      const response = await pool.request({
        method: body ? 'POST' : 'GET',
        path,
        body,
        headers: {
          ...(body ? { 'content-type': 'application/json' } : {}),
          authorization: run.authorization,
          ...(run.isIdempotent ? { 'idempotency-key': `bench-${process.pid}-${index}` } : {}),
        },
      })
      const text = await response.body.text()
      if (!run.expect.includes(response.statusCode)) throw new Error(`${response.statusCode} ${text}`)
      latencies.push(performance.now() - sentAt)
      if (run.collect) collected.push((JSON.parse(text) as Record<string, string>)[run.collect]!)
    }
  }
  await Promise.all(Array.from({ length: run.connections }, connection))
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  await pool.close()
  latencies.sort((a, b) => a - b)
  return {
    count: latencies.length,
    perSecond: latencies.length / elapsedSeconds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)]!,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)]!,
    collected,
  }
}

const input: Buffer[] = []
for await (const chunk of process.stdin) input.push(chunk)
process.stdout.write(JSON.stringify(await main(JSON.parse(Buffer.concat(input).toString()))))
