import { misused } from '../exit.ts'
import { type DescribedTool, type Given, needsSandbox, shape, type ToolParts, text } from './tool-parts.ts'

/** What an agent does to a sandbox: its messages, what fails in it on purpose, its copies, and events told again. */

const mostListed = 20
const longestWaitSeconds = 25

export function sandboxTools(parts: ToolParts): DescribedTool[] {
  const { client } = parts
  const { sandbox, webhookEvents } = client
  return [
    {
      name: 'inbox',
      description:
        'List the e-mails and SMS (with codes) that the sandbox would have sent to customers, newest first. With `waitSeconds` (at most 25), wait for the first message after `after` (default: now).',
      inputSchema: shape({
        customerId: text(),
        to: text(),
        after: text('time on the sandbox clock'),
        waitSeconds: { type: 'integer', minimum: 0 },
      }),
      annotations: { readOnlyHint: true },
      async work({ customerId, to, after, waitSeconds }) {
        const about = customerId === undefined ? {} : { customerId }
        if (waitSeconds === undefined) {
          return { messages: await sandbox.inbox.list(about as never).first(mostListed) }
        }
        return sandbox.inbox.wait.get({
          ...about,
          ...(to === undefined ? {} : { to }),
          after: after ?? (await sandbox.clock.get()).now,
          seconds: Math.min(Number(waitSeconds) || 0, longestWaitSeconds),
        } as never)
      },
    },
    {
      name: 'inbound_payment',
      description:
        'Simulate an incoming bank or blockchain payment. `body` is the request body of the operation receiveInboundPayment; use search_operations to find its schema.',
      inputSchema: shape({ body: { type: 'object' } }, ['body']),
      annotations: { readOnlyHint: false },
      async work({ body }) {
        needsSandbox(parts)
        return sandbox.inboundPayments.create(body as never)
      },
    },
    {
      name: 'faults',
      description:
        'Manage sandbox faults. LIST lists all faults. ADD creates a fault from `fault`, the request body of the operation createSandboxFault. REMOVE deletes the fault with `id`, or all faults without `id`. HITS lists the hits of the fault with `id`.',
      inputSchema: shape(
        {
          do: { type: 'string', enum: ['LIST', 'ADD', 'REMOVE', 'HITS'] },
          fault: { type: 'object' },
          id: text(),
        },
        ['do'],
      ),
      annotations: { readOnlyHint: false },
      async work({ do: what, fault, id }) {
        needsSandbox(parts)
        const { faults } = sandbox
        if (what === 'LIST') return { faults: await faults.list({ limit: 100 } as never).first(100) }
        if (what === 'HITS')
          return { hits: await faults.activations.list(needed(id, 'id')).first(mostListed) }
        if (what === 'REMOVE') {
          await (id === undefined ? faults.deleteAll() : faults.delete(String(id)))
          return 'done'
        }
        if (what !== 'ADD') throw misused('`do` must be LIST, ADD, REMOVE or HITS.')
        // Of a list, in which a name that nobody knows is wrong.
        return (await faults.apply({ faults: [fault] } as never)).data[0]
      },
    },
    {
      name: 'world',
      description:
        'Manage snapshots and forks of the whole sandbox. LIST lists them. SNAPSHOT and FORK create a copy with `name`, and DROP deletes the fork with `name`. RESTORE (to the snapshot with `name`) and RESET discard all later changes. They need two calls: the first returns a confirm word, and the second, with `confirm`, makes the change.',
      inputSchema: shape(
        {
          do: { type: 'string', enum: ['LIST', 'SNAPSHOT', 'FORK', 'DROP', 'RESTORE', 'RESET'] },
          name: text(),
          confirm: text(),
        },
        ['do'],
      ),
      annotations: { readOnlyHint: false, destructiveHint: true },
      work: (given) => world(parts, given),
    },
    {
      name: 'events',
      description:
        'Manage events and their delivery. LIST lists the newest events, by `type` or `status`. ATTEMPTS lists the delivery attempts of the event with `id`. RESEND sends this event again.',
      inputSchema: shape(
        {
          do: { type: 'string', enum: ['LIST', 'ATTEMPTS', 'RESEND'] },
          id: text(),
          type: text(),
          status: text(),
        },
        ['do'],
      ),
      annotations: { readOnlyHint: false },
      async work({ do: what, id, type, status }) {
        if (what === 'ATTEMPTS') return webhookEvents.get(needed(id, 'id'))
        if (what === 'RESEND') {
          needsSandbox(parts)
          return (await webhookEvents.resend(needed(id, 'id'))) ?? 'done'
        }
        if (what !== 'LIST') throw misused('`do` must be LIST, ATTEMPTS or RESEND.')
        const filter = { ...(type ? { type } : {}), ...(status ? { status } : {}) } as never
        return { events: await webhookEvents.list(filter).first(mostListed) }
      },
    },
    {
      name: 'audit',
      description: "Audit the platform's ledger: check that the ledger balances.",
      inputSchema: shape({}),
      annotations: { readOnlyHint: true },
      work: () => client.ledger.audit.get(),
    },
  ]
}

async function world(parts: ToolParts, { do: what, name, confirm }: Given): Promise<unknown> {
  needsSandbox(parts)
  const { worlds, snapshots, reset } = parts.client.sandbox
  switch (what) {
    case 'LIST':
      return { forks: (await worlds.list()).data, snapshots: (await snapshots.list()).data }
    case 'SNAPSHOT':
      return snapshots.create({ name: needed(name, 'name') })
    case 'FORK':
      return worlds.create({ name: needed(name, 'name') })
    case 'DROP':
      await worlds.delete(needed(name, 'name'))
      return 'done'
    case 'RESTORE':
    case 'RESET': {
      const meaning = what === 'RESET' ? 'RESET' : `RESTORE ${needed(name, 'name')}`
      if (confirm === undefined) {
        return {
          dryRun: `${meaning} discards all changes since ${what === 'RESET' ? 'the start' : 'the snapshot'}, for all platforms`,
          confirm: parts.confirmations.give('world', meaning),
          next: 'To make the change, call `world` with the same arguments and `confirm`.',
        }
      }
      if (parts.confirmations.take(String(confirm), 'world') !== meaning) {
        throw misused('The arguments differ from the dry run.', 'Start again without `confirm`.')
      }
      return what === 'RESET' ? reset() : snapshots.restore(String(name))
    }
    default:
      throw misused('`do` must be LIST, SNAPSHOT, FORK, DROP, RESTORE or RESET.')
  }
}

function needed(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw misused(`\`${name}\` is required.`)
  return value
}
