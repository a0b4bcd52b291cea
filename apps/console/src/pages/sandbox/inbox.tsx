import type { Corridor, Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Go, useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Facts, Id, Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { NoPage } from '../../parts/no-page.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { readable, Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { page } from '../resources/detail.tsx'
import { codeIn, linkIn, purposes } from './message-parts.ts'

type Message = Item<'listSandboxInbox'>

const filters: readonly Filter[] = [
  { name: 'channel', label: t('Channel'), options: ['EMAIL', 'SMS'] },
  { name: 'customerId', label: t('Customer id') },
]

/** Every e-mail and SMS that would have gone out, with what people take out of it. */
export function InboxPage() {
  const { environment } = useSession()
  if (environment !== 'sandbox') return <NoPage />
  return (
    <>
      <PageHead title={words.pages.inbox} />
      <Inbox />
    </>
  )
}

export function Inbox() {
  const { corridor } = useSession()
  const [view] = useView()
  const [opened, setOpened] = useState<Message>()
  const query = filtersOf(view, filters)
  return (
    <>
      <Filters of={filters} />
      {opened && <Opened message={opened} onClose={() => setOpened(undefined)} />}
      <Rows<Message>
        label={words.pages.inbox}
        list={['inbox', query]}
        read={(cursor) => corridor.sandbox.inbox.list(page(cursor, query))}
        columns={[
          {
            title: t('Sent'),
            width: 'moment',
            isWide: true,
            cell: ({ createdAt }) => <Moment at={createdAt} short />,
          },
          {
            title: t('To'),
            isWide: true,
            cell: (message) => <span title={message.to}>{toOf(message)}</span>,
          },
          {
            title: t('What it is for'),
            cell: (message) => (
              <button
                type="button"
                className="quiet"
                aria-expanded={opened?.id === message.id}
                onClick={() => setOpened(message)}
              >
                {purposeOf(message)}
              </button>
            ),
          },
          {
            title: t('Customer'),
            isWide: true,
            cell: ({ customerId }) => <Id id={customerId} short="end" />,
          },
          { title: t('Code or link'), cell: (message) => <Taken from={message} /> },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        news={{
          kind: 'Message',
          text: t('There are new messages.'),
          newest: async () =>
            (await corridor.sandbox.inbox.list({ ...query, limit: 1 } as never)).data[0]?.id ?? null,
        }}
        empty={
          <Empty
            title={t('No messages yet. Codes and links for customers appear here.')}
            filters={filters}
            find={(others) => corridor.sandbox.inbox.list({ ...others, limit: 1 } as never)}
            cli="corridor customers verify-email CUSTOMERID"
          >
            <Act run={() => sendFirst(corridor)}>{t('Send a code')}</Act>
          </Empty>
        }
      />
    </>
  )
}

/** So many are seen on the page of the whole sandbox. */
const newest = 3

/** The newest messages, a line each. */
export function InboxHere() {
  const { corridor } = useSession()
  const found = useQuery({
    queryKey: ['list', 'inbox', 'here'],
    queryFn: async () => await corridor.sandbox.inbox.list({ limit: newest } as never),
    refetchInterval: 5_000,
  })
  if (found.isPending) return <Loading />
  if (!found.data) return <Trouble error={found.error} onRetry={() => void found.refetch()} />
  const { data, totalCount = data.length } = found.data
  return (
    <>
      {data.length === 0 && <p className="muted">{t('No messages yet.')}</p>}
      <ul className="upcoming" aria-label={t('Newest messages')}>
        {data.map((message) => (
          <li key={message.id}>
            <span>
              <Moment at={message.createdAt} short /> {toOf(message)}{' '}
              <span className="muted">{purposeOf(message)}</span>
            </span>
            <Taken from={message} />
          </li>
        ))}
      </ul>
      <div className="acts">
        <Act run={() => sendFirst(corridor)}>{t('Send a code')}</Act>
        <Go to="sandbox/inbox">{t('All messages ({n})', { n: totalCount })}</Go>
      </div>
    </>
  )
}

const channels: Readonly<Record<string, string>> = { EMAIL: t('E-mail'), SMS: t('SMS') }

function toOf({ channel, to }: Message): string {
  const by = channels[channel] ?? channel
  return to ? t('{channel} to {address}', { channel: by, address: to }) : by
}

function purposeOf({ purpose }: Message): string {
  return purposes[purpose] ?? readable(purpose)
}

/** What a person would take out of it, with a button that does. */
function Taken({ from: { code: told, text } }: { readonly from: Message }) {
  // What was sent before codes were told apart has one in its text alone.
  const [code, link] = [told ?? codeIn(text), linkIn(text)]
  if (code !== undefined)
    return <Copy name={t('Copy {code}', { code })} says={t('Copy code {code}', { code })} text={() => code} />
  if (link !== undefined)
    return <Copy name={t('Copy the link')} says={t('Copy link {link}', { link })} text={() => link} />
  return <>—</>
}

/** A message in full: rows have no room for it. */
function Opened({ message, onClose }: { readonly message: Message; readonly onClose: () => void }) {
  const { id, subject, sender, text, status, lastError, customerId, createdAt } = message
  const link = linkIn(text)
  return (
    <Part title={purposeOf(message)}>
      <Facts
        of={[
          [t('To'), toOf(message)],
          [t('From'), sender && [sender.name, sender.replyTo].filter(Boolean).join(', ')],
          [t('Subject'), subject],
          [t('Text'), text ?? t('It can no longer be read.')],
          [t('Code or link'), text && <Taken key="t" from={message} />],
          [t('Link'), link && <code key="l">{link}</code>],
          [t('Customer'), customerId && <Id key="c" id={customerId} />],
          [t('Status'), <Status key="s" status={status} />],
          [t('What went wrong'), lastError],
          [t('Sent'), <Moment key="m" at={createdAt} />],
          [
            t('Id'),
            <span key="i" className="id">
              {id}
            </span>,
          ],
        ]}
      />
      <div className="acts under">
        <button type="button" onClick={onClose}>
          {t('Close it')}
        </button>
      </div>
    </Part>
  )
}

/** A customer where addresses have to be proved, who is sent a code. */
async function sendFirst(corridor: Corridor): Promise<void> {
  const { id } = await corridor.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Greta Lindholm',
    region: 'SE',
    currencies: ['EUR'],
    email: 'greta@example.com',
  } as never)
  await corridor.customers.verifyEmail(id)
}
