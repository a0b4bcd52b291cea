import type { Answer, Corridor } from '@corridor/sdk/index.ts'
import type { ReactNode } from 'react'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Id, Moment } from '../../parts/facts.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Step } from '../../parts/step.tsx'
import { listPayments } from '../payments/payments-page.tsx'
import { whole } from '../resources/detail.tsx'

export type Journal = Answer<'getLedgerJournal'>

/** Journals are found by what they are of: those of so many payments at a time. */
const lookedPayments = 20

interface JournalsProps {
  readonly label: string
  /** Which payments are looked at, as their list takes it; undefined: none but `also`. */
  readonly of: Readonly<Record<string, string>> | undefined
  /** Payments that are looked at besides. */
  readonly also?: readonly string[]
  /** Those that touch this account of the ledger alone. */
  readonly account?: string
}

/** The journals of the latest payments, the newest first: which step moved money, and what takes back what. */
export function Journals({ label, of, also = [], account }: JournalsProps) {
  const { corridor } = useSession()
  return (
    <Rows<Journal>
      label={label}
      list={['journals', of, also, account]}
      read={() => whole(readJournals(corridor, { of, also, account }))}
      columns={[
        { title: t('Time'), width: 'moment', cell: ({ at }) => <Moment at={at} short /> },
        { title: t('Step'), cell: ({ step }) => <Step of={step} /> },
        { title: t('Of'), isWide: true, cell: ({ subjectId }) => <Id id={subjectId} short /> },
        {
          title: t('Postings'),
          width: 'end',
          isAmount: true,
          isNamed: true,
          isWide: true,
          cell: ({ postings }) => String(postings.length),
        },
        { title: t('Taken back'), cell: reversalText },
      ]}
      keyOf={({ id }) => id}
      to={({ id }) => `ledger/journals/${encodeURIComponent(id)}`}
      empty={<Nothing title={t('No money has moved yet.')} cli="corridor pay" />}
    />
  )
}

async function readJournals(
  corridor: Corridor,
  { of, also, account }: Required<Pick<JournalsProps, 'of' | 'also'>> & Pick<JournalsProps, 'account'>,
): Promise<{ readonly data: readonly Journal[] }> {
  const payments = of ? (await listPayments(corridor, of, lookedPayments)).data : []
  const subjectId = [...new Set([...payments.map(({ id }) => id), ...also])]
  if (subjectId.length === 0) return { data: [] }
  const { data } = await corridor.ledger.journals.list({ subjectId } as never)
  const touching = data.filter(
    ({ postings }) =>
      account === undefined || postings.some(({ from, to }) => from === account || to === account),
  )
  return { data: touching.reverse() }
}

function reversalText({ reverses, reversedBy }: Journal): ReactNode {
  const step = (journalId: string) => () => <Step of={stepIn(journalId)} />
  if (reversedBy !== null) return rich('reversed by “<step></step>”', { step: step(reversedBy) })
  return reverses === null ? '—' : rich('reverses “<step></step>”', { step: step(reverses) })
}

/** `Transaction:…/convert` → `convert`. */
export const stepIn = (journalId: string) => journalId.slice(journalId.indexOf('/') + 1)
