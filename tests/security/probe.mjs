// Loaded into a started server with --import: says over IPC how long its event loop stood still, and its memory.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const intervalMs = 10
const delays = monitorEventLoopDelay({ resolution: intervalMs })
delays.enable()

// A pause is what both clocks say: a busy machine makes the wall clock run on while nothing is computed, and
// other threads of the process compute while nothing is held up.
let longestMs = 0
let wall = performance.now()
let cpu = process.cpuUsage()
setInterval(() => {
  const now = performance.now()
  const used = process.cpuUsage(cpu)
  longestMs = Math.max(longestMs, Math.min(now - wall - intervalMs, (used.user + used.system) / 1000))
  wall = now
  cpu = process.cpuUsage()
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
    cpu = process.cpuUsage()
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
