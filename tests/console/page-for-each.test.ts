import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { operationTable } from '../../packages/sdk/src/generated/operations.ts'

const folder = fileURLToPath(new URL('../../apps/console/src', import.meta.url))
const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n')
  // `const { simulate } = corridor.sandbox.cards` shortens what follows.
  .replaceAll(/(?<!\.)\bsimulate\.(\w+)\(id\b/g, 'corridor.sandbox.cards.simulate.$1(id')

/** Whether a page calls an operation by its name in the SDK. */
const isCalled = (name: string) =>
  new RegExp(`corridor\\.${name.replaceAll('.', '\\.')}\\b\\s*\\(`).test(source)

/** What the console neither reads nor plays, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'agents.deviceCodes.status': 'asked by the program that waits for its code',
  'tokens.get': 'the list of tokens tells all of each',
  'webhookEvents.position': 'for programs that read on from where they were',
  'webhookListeners.next': 'for the program that listens',
  'sandbox.faults.apply': 'for files of faults, which the command line reads; a page makes one at a time',
  'sandbox.inbox.wait.get': 'for programs that wait for a code; the page shows what has come',
  'sandbox.webhooks.test': 'the button of the webhooks page sends its test to the configured endpoint',
}
/** Groups of operations that are excused as a whole. */
const groups: Readonly<Record<string, string>> = {
  'agents.me.': 'for the credential of an agent, with which nobody signs in to the console',
}
const isExcused = (name: string) =>
  name in exceptions || Object.keys(groups).some((group) => name.startsWith(group))

describe('the console has a page for each resource', () => {
  const reads = operationTable.filter(({ method }) => method === 'GET').map(({ name }) => name)
  const plays = operationTable
    .filter(({ name, method }) => method === 'POST' && name.startsWith('sandbox.'))
    .map(({ name }) => name)

  it('reads whatever the API lets read, and plays whatever the sandbox plays', () => {
    const missing = [...reads, ...plays].filter((name) => !isCalled(name) && !isExcused(name))
    expect(missing).toEqual([])
  })

  it('excuses nothing that is there, and nothing that does not exist', () => {
    const idle = Object.keys(exceptions).filter(
      (name) => isCalled(name) || ![...reads, ...plays].includes(name),
    )
    expect(idle).toEqual([])
  })
})
