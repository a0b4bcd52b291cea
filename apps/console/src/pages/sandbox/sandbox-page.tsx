import type { Answer, Item } from '@corridor/sdk/index.ts'
import { toMinorUnits } from '@corridor/sdk/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { Scenarios } from './scenarios.tsx'

type Message = Item<'listSandboxInbox'>
type Moved = Answer<'advanceSandboxClock'>

export function SandboxPage() {
  const { corridor, environment } = useSession()
  if (environment !== 'sandbox') return <Nothing title="There is no such page." />
  return (
    <>
      <PageHead title="Sandbox">
        <Go to="sandbox/faults">{words.pages.faults}</Go>
        <Go to="sandbox/worlds">{words.pages.worlds}</Go>
      </PageHead>
      <Part title="Clock">
        <Clock />
      </Part>
      <Part title="Scenarios">
        <Scenarios />
      </Part>
      <Part title="Money in">
        <MoneyIn />
      </Part>
      <Part title="Inbox">
        <Rows<Message>
          label="Inbox"
          list={['inbox']}
          read={(cursor) =>
            corridor.sandbox.inbox.list({ limit: 100, ...(cursor ? { cursor } : {}) } as never)
          }
          columns={[
            { title: 'Sent', width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
            { title: 'To', cell: ({ channel, to }) => `${channel === 'SMS' ? 'SMS' : 'E-mail'} ${to ?? ''}` },
            { title: 'Purpose', isWide: true, cell: ({ purpose }) => purpose },
            {
              title: 'Text',
              cell: ({ text, subject }) => <span title={text}>{text ?? subject ?? '—'}</span>,
            },
            { title: 'Customer', isWide: true, cell: ({ customerId }) => <Id id={customerId} short /> },
          ]}
          keyOf={({ id }) => id}
          to={() => undefined}
          empty={
            <Nothing
              title="No message was sent yet: codes and links for customers appear here."
              cli="corridor inbox"
            />
          }
        />
      </Part>
    </>
  )
}

const steps = [
  ['+1 minute', 60],
  ['+6 minutes', 360],
  ['+1 hour', 3_600],
  ['+1 day', 86_400],
] as const

function Clock() {
  const { corridor } = useSession()
  const [moved, setMoved] = useState<Moved>()
  const clock = useQuery({
    queryKey: ['clock'],
    queryFn: () => corridor.sandbox.clock.get(),
    refetchInterval: 1_000,
  })
  if (clock.isError && !clock.data)
    return <Trouble error={clock.error} onRetry={() => void clock.refetch()} />
  const ahead = clock.data?.offsetSeconds ?? 0
  return (
    <>
      <p>
        <Icon name="clock" /> <Moment at={clock.data?.now} />{' '}
        <span className="muted">
          {ahead === 0 ? 'the time of the world' : `${ahead} seconds before the time of the world`}
        </span>
      </p>
      <div className="acts">
        {steps.map(([name, seconds]) => (
          <Act key={name} run={() => corridor.sandbox.clock.advance({ seconds })} then={setMoved}>
            {name}
          </Act>
        ))}
        <Act run={() => corridor.sandbox.clock.advance({ until: 'NEXT' })} then={setMoved}>
          To the next event
        </Act>
        <Act run={() => corridor.sandbox.clock.advance({ until: 'QUIET' })} then={setMoved}>
          Until nothing is left
        </Act>
      </div>
      {moved && <Happened moved={moved} />}
      {clock.data && <Upcoming now={clock.data.now} onMoved={setMoved} />}
    </>
  )
}

/** What the last move of the clock brought about. */
function Happened({ moved: { now, ran, ranCount, isThere } }: { readonly moved: Moved }) {
  return (
    <details role="status">
      <summary>
        {ranCount === 0 ? 'Nothing was due' : `${ranCount} happened`} by <Moment at={now} />
        {!isThere && ': it took too long, so the clock stopped on its way'}
      </summary>
      <ol>
        {ran.map(({ kind, subjectId, dueAt }, index) => (
          // Several may be alike: the same thing tried again at the same moment.
          <li key={`${index} ${kind}`}>
            <Moment at={dueAt} /> {kind} <Id id={subjectId} short />
          </li>
        ))}
      </ol>
      {ranCount > ran.length && <p className="muted">and {ranCount - ran.length} more</p>}
    </details>
  )
}

interface UpcomingProps {
  readonly now: string
  readonly onMoved: (moved: Moved) => void
}

/** What the clock comes to next; each is a place to move it to. */
function Upcoming({ now, onMoved }: UpcomingProps) {
  const { corridor } = useSession()
  const asked = useQuery({
    queryKey: ['clock', 'upcoming'],
    queryFn: () => corridor.sandbox.clock.upcoming.get(),
    refetchInterval: 5_000,
  })
  if (asked.isError && !asked.data)
    return <Trouble error={asked.error} onRetry={() => void asked.refetch()} />
  if (!asked.data) return null
  const { upcoming, hasMore } = asked.data
  if (upcoming.length === 0) return <p className="muted">Nothing is due.</p>
  return (
    <ul aria-label="What is due next">
      {upcoming.map(({ kind, subjectId, dueAt }) => (
        <li key={`${kind} ${subjectId} ${dueAt}`}>
          <Moment at={dueAt} /> {kind} <Id id={subjectId} short />{' '}
          <Act
            run={() => corridor.sandbox.clock.advance({ seconds: secondsUntil(now, dueAt) })}
            then={onMoved}
          >
            Advance to it
          </Act>
        </li>
      ))}
      {hasMore && <li className="muted">and more</li>}
    </ul>
  )
}

/** Whole seconds, so that it is due by then; the clock moves on between two readings, and never goes back. */
function secondsUntil(now: string, dueAt: string): number {
  return Math.max(0, Math.ceil((Date.parse(dueAt) - Date.parse(now)) / 1_000))
}

/** A deposit into the account of a customer, or a payment that names a reference. */
function MoneyIn() {
  const { corridor } = useSession()
  const [account, setAccount] = useState('')
  const [amount, setAmount] = useState('')
  const fund = async () => {
    const { balance } = await corridor.internalAccounts.get(account.trim())
    return corridor.sandbox.internalAccounts.fund(account.trim(), {
      amount: toMinorUnits(amount.trim(), balance.currency.decimals),
    })
  }
  return (
    <div className="fields">
      <label>
        <span>Id of the account</span>
        <input value={account} maxLength={100} onChange={(event) => setAccount(event.target.value)} />
      </label>
      <label>
        <span>Amount, as 1,000.00</span>
        <input
          value={amount}
          maxLength={40}
          inputMode="decimal"
          onChange={(event) => setAmount(event.target.value)}
        />
      </label>
      <Act run={fund} isDisabled={account.trim() === '' || amount.trim() === ''}>
        Let it arrive
      </Act>
    </div>
  )
}
