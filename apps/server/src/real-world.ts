import { randomFillSync } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Log, makeWorld, type World } from '@corridor/kernel'
import { type DestinationStream, destination, pino } from 'pino'
import { fetch } from 'undici'

/** The World of a running process: the machine's clock, its randomness, its network and its log. */
export function realWorld(log: Log): World {
  return makeWorld({
    now: () => Date.now(),
    randomBytes: pooledRandomBytes(),
    // Undici's own fetch and not Node's copy of it: only this one accepts the dispatcher that refuses
    // connections to private addresses.
    fetch: fetch as unknown as World['fetch'],
    log,
    sleep: (ms, signal) =>
      wait(ms, undefined, signal ? { signal } : {}).catch((error: Error) => {
        if (error.name !== 'AbortError') throw error
      }),
  })
}

const poolBytes = 8192

/** An id needs ten bytes and a call to the system costs as much as fetching thousands, so they are pooled. */
function pooledRandomBytes(): World['randomBytes'] {
  const pool = new Uint8Array(poolBytes)
  let used = poolBytes
  return (count) => {
    if (count > poolBytes) return randomFillSync(new Uint8Array(count))
    if (used + count > poolBytes) {
      randomFillSync(pool)
      used = 0
    }
    const bytes = pool.slice(used, used + count)
    // What has become a secret must not stay behind in the pool.
    pool.fill(0, used, used + count)
    used += count
    return bytes
  }
}

/** Lines gather up to here, or for this long, and leave in one write that nobody waits for. */
const gatheredBytes = 4096
const gatheredMs = 100
/** More than this waits for a reader that is too slow: then the process waits for it, too, and loses nothing. */
const waitingCharacters = 4_000_000

/**
 * Standard output for a log. What is worse than usual leaves at once; what gathers leaves when the process exits
 * by itself, and only a kill loses the lines of a tenth of a second.
 */
function gatheredOutput(): DestinationStream {
  const stream = destination({ dest: 1, sync: false, minLength: gatheredBytes, periodicFlush: gatheredMs })
  let waiting = 0
  stream.on('drain', () => {
    waiting = 0
  })
  return {
    write(line) {
      waiting += line.length
      stream.write(line)
      if (waiting > waitingCharacters) {
        stream.flushSync()
        waiting = 0
      } else if (!line.startsWith('{"level":"info"')) {
        stream.flush()
      }
    },
  }
}

/** JSON lines on standard output, without what must not be in a log whoever passes it (conventions 9). */
export function jsonLog(level: string, output: DestinationStream = gatheredOutput()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields, 0) as Record<string, unknown>,
      },
    },
    output,
  )
}

/** Names of fields that hold credentials, one-time codes, signatures or personal data, in lower case. */
const secretNames = new Set(
  `authorization cookie set-cookie secret clientsecret secrethash password masterkey operatorkey accesstoken
  idtoken jwt apikey privatekey otp code signature service-wallet-signature grid-wallet-signature
  x-service-signature passkeyassertion payloadtosign identifier taxid ssn pan cvv cardnumber accountnumber
  iban routingnumber clabenumber primaryid fullname firstname lastname birthdate nationality address email
  phonenumber enduseripaddress revealurl body documentnumber registrationnumber legalname content`.split(
    /\s+/,
  ),
)
const maxDepth = 6

/** A copy without secrets. Deep structures end early: a log line is no place for a whole object. */
export function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value)) return '[bytes]'
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack }
  if (depth >= maxDepth) return '[deep]'
  if (Array.isArray(value)) return value.map((entry) => redact(entry, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      secretNames.has(name.toLowerCase()) ? [name, '[redacted]'] : [name, redact(member, depth + 1)],
    ),
  )
}
