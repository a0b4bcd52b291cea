// Loaded into a started server with --import: says over IPC how long its event loop stood still, and its memory.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const intervalMs = 10
const delays = monitorEventLoopDelay({ resolution: intervalMs })
delays.enable()

/** CPU time of the thread of the event loop; where the system does not tell, that of the whole process. */
function computedMs() {
  try {
    // The main thread, which the process is named after. Nanoseconds on a processor come first.
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

// A pause is what both clocks say: a busy machine makes the wall clock run on while nothing is computed, and many
// short turns compute while nothing is held up.
let longestMs = 0
let wall = performance.now()
let computed = computedMs()
setInterval(() => {
  const now = performance.now()
  const computedNow = computedMs()
  longestMs = Math.max(longestMs, Math.min(now - wall - intervalMs, computedNow - computed))
  wall = now
  computed = computedNow
}, intervalMs).unref()

let highestRss = 0
setInterval(() => {
  highestRss = Math.max(highestRss, process.memoryUsage.rss())
}, 25).unref()

process.on('message', (message) => {
  if (message === 'reset') {
    globalThis.gc?.()
    delays.reset()
    longestMs = 0
    wall = performance.now()
    computed = computedMs()
    highestRss = process.memoryUsage.rss()
  }
  process.send({
    pauseMs: longestMs,
    wallPauseMs: delays.max / 1e6,
    rssMb: process.memoryUsage.rss() / 1e6,
    highestRssMb: highestRss / 1e6,
  })
})
process.channel?.unref()
