'use strict'
const childProcess = require('node:child_process')
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const { promisify } = require('node:util')

/**
 * Loaded into every Node process that a test starts, and into those that such a process starts. It reports errors that came up
 * outside of any request: the process survives them, so its test would pass.
 */

const file = process.env.CORRIDOR_TEST_UNEXPECTED
const names = ['CORRIDOR_TEST_UNEXPECTED', 'NODE_OPTIONS']

/** Tests start programs with an environment of their own, which would leave the watch behind. */
function withWatch(given) {
  const at = given.findIndex((each) => typeof each === 'object' && each !== null && each.env)
  if (at < 0) return given
  const own = given[at].env
  const watch = Object.fromEntries(names.map((name) => [name, own[name] ?? process.env[name]]))
  return given.with(at, { ...given[at], env: { ...own, ...watch } })
}

function watchChildren() {
  for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']) {
    const original = childProcess[name]
    const watched = (...given) => original(...withWatch(given))
    const promised = original[promisify.custom]
    if (promised) watched[promisify.custom] = (...given) => promised(...withWatch(given))
    childProcess[name] = watched
  }
  syncBuiltinESMExports()
}

const line = /^\{"level":"error".*"msg":"unexpected error outside a request"\}$/gm
const ours = /\/(?:apps|node_modules)\/(?:server|cli|corridor)\//

function watchThis() {
  const report = (text) => fs.appendFileSync(file, `${text}\n`)
  for (const name of ['write', 'writeSync']) {
    const original = fs[name]
    fs[name] = (...given) => {
      // A logger writes lines; nothing else that is written begins like them.
      const [, data] = given
      const text = typeof data === 'string' ? data : data?.[0] === 0x7b ? Buffer.from(data).toString() : ''
      if (text.startsWith('{"level"')) for (const [found] of text.matchAll(line)) report(found)
      return original(...given)
    }
  }
  if (!ours.test(process.argv[1] ?? '')) return
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    report(`${origin} in ${process.argv.slice(1).join(' ')}: ${error?.stack ?? error}`)
  })
}

if (file) {
  watchChildren()
  if (process.env.CORRIDOR_TEST_WORKER !== String(process.pid)) watchThis()
}
