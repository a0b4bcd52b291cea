import { useQuery } from '@tanstack/react-query'
import { usePageId } from '../../app/page-id.ts'
import { Go } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Facts, Moment } from '../../parts/facts.tsx'
import { Identifier, Known } from '../../parts/known.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Loading, Nothing } from '../../parts/states.tsx'
import { readable, Status } from '../../parts/status.tsx'
import { Unknown } from '../../parts/unknown.tsx'
import { wallMs } from '../../parts/wall-clock.ts'
import { words } from '../../words.ts'
import { ageOf } from './ages.ts'
import { InTimeOf, MomentOf } from './book-time.tsx'
import { OperatorCopyAs } from './copy-as.tsx'
import { Decide, placeOf } from './decide-review.tsx'
import { useNames } from './names.ts'
import { type AuditLogEntry, type Review, type ReviewSummary, useOperator } from './operator-api.ts'
import { amountOfReview, mostOfReview, TimeLeft } from './review-terms.tsx'

export function ReviewsPage() {
  const { page } = useOperator()
  const nameOf = useNames()
  return (
    <>
      <PageHead title={words.operator.reviews} />
      <Rows<ReviewSummary>
        label={t('Reviews')}
        list={['operator', 'reviews-list']}
        read={() => page<ReviewSummary>('reviews')}
        columns={[
          { title: t('Time left'), cell: (review) => <TimeLeft of={review} /> },
          { title: t('Customer'), cell: ({ name, customerId }) => name ?? customerId },
          { title: t('A month'), isNamed: true, isAmount: true, width: 'digits', cell: mostOfReview },
          {
            title: t('Decided by'),
            isNamed: true,
            isWide: true,
            cell: ({ needsSecondPerson }) => (needsSecondPerson ? t('two people') : t('one person')),
          },
          {
            title: t('Why it waits'),
            isWide: true,
            cell: ({ submission }) => t('complete, submission {submission}', { submission: `${submission}` }),
          },
          { title: t('Type'), isWide: true, isExtra: true, cell: ({ customerType }) => customerType },
          {
            title: t('Since'),
            width: 'moment',
            isExtra: true,
            isWide: true,
            cell: (review) => <MomentOf book={review} at={review.submittedAt} />,
          },
          {
            title: t('Platform'),
            isWide: true,
            cell: (review) => `${nameOf(review)} ${review.environment}`,
          },
        ]}
        keyOf={({ verificationId }) => verificationId}
        to={({ verificationId }) => placeOf(verificationId)}
        empty={
          <Nothing title={t('No reviews are waiting.')}>
            <LastDecided />
          </Nothing>
        }
      />
    </>
  )
}

const decisions = ['operatorApproveReview', 'operatorRejectReview']

/** When somebody decided last: a queue that is empty because nobody works on it looks otherwise. */
function LastDecided() {
  const { page } = useOperator()
  const last = useQuery({
    queryKey: ['operator', 'last-decided'],
    queryFn: async () => {
      const asked = decisions.map((operation) =>
        page<AuditLogEntry>('audit-log', undefined, { operation, outcome: 'DONE', limit: 1 }),
      )
      const lines = (await Promise.all(asked)).flatMap(({ data }) => data.map(({ at }) => at))
      return lines.sort().at(-1) ?? null
    },
  })
  if (!last.data) return null
  return (
    <p className="muted">
      {rich('Last decided {age} ago, <at></at>.', {
        age: ageOf((wallMs() - Date.parse(last.data)) / 1000),
        at: () => <Moment key="at" at={last.data} />,
      })}
    </p>
  )
}

export function ReviewPage() {
  const id = usePageId()
  const { get } = useOperator()
  const nameOf = useNames()
  const review = useQuery({
    queryKey: ['operator', 'review', id],
    queryFn: () => get<Review>(placeOf(id)),
  })
  if (review.isPending) return <Loading />
  if (!review.data) return <Unknown id={id} error={review.error} onRetry={() => void review.refetch()} />
  const { environment, customer, verification, identifier, note, documents } = review.data
  const status = verification.verificationStatus ?? verification.status
  const name = calledOf(customer)
  const isWaiting = status === 'PENDING_MANUAL_REVIEW'
  return (
    <>
      <PageHead title={name === undefined ? t('Review') : t('Review of {name}', { name })}>
        <OperatorCopyAs path={placeOf(id)} cli={`corridor operator reviews get ${id}`} body={review.data} />
      </PageHead>
      <p className="muted trail">
        <Go to="reviews">{t('Reviews')}</Go> / <span className="id">{id}</span>
      </p>
      <Facts
        of={[
          ...(isWaiting ? [[t('Time left'), <TimeLeft key="t" of={review.data} />] as const] : []),
          [
            t('Due'),
            <InTimeOf key="d" book={review.data}>
              <Moment at={review.data.dueAt} />
            </InTimeOf>,
          ],
          [t('Amount'), amountOfReview(review.data)],
          [t('Decided by'), review.data.needsSecondPerson ? t('two people') : t('one person')],
          [
            t('Customer'),
            <span key="c">
              {name} <span className="id muted">{customer.id}</span>
            </span>,
          ],
          [t('Type'), customer.customerType],
          [t('Platform'), `${nameOf(review.data)} ${environment}`],
          [t('State'), status && <Status key="s" status={status} />],
          [
            t('Number of the document'),
            identifier && <Identifier key={id} name={t('Number of the document')} value={identifier} />,
          ],
          [t('Note of the decision'), note],
        ]}
      />
      {isWaiting && <Decide id={id} terms={review.data} />}
      <Part title={t('Documents')}>
        {documents.length === 0 && <Nothing title={t('No documents were provided.')} />}
        <ul className="steps">
          {documents.map((document) => (
            <li key={document.id}>
              <span>
                {readable(document.documentType)}, {document.fileName},{' '}
                <InTimeOf book={review.data}>
                  <Moment at={document.createdAt} />
                </InTimeOf>
              </span>
              <span>
                <Act
                  changesNothing
                  run={() => get<DocumentFile>(`${placeOf(id)}/documents/${encodeURIComponent(document.id)}`)}
                  then={save}
                >
                  {t('Save the file')}
                </Act>
              </span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title={t('All details')}>
        <Known key={id} of={review.data} />
      </Part>
    </>
  )
}

/** As the list calls it; undefined as long as it has no name. */
function calledOf({ fullName, businessInfo }: Review['customer']): string | undefined {
  return businessInfo?.legalName ?? fullName
}

interface DocumentFile {
  readonly fileName: string
  readonly contentType: string
  readonly content: string
}

/** Files of strangers are saved and never shown within the console. */
function save({ fileName, content }: DocumentFile) {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
  saveFile(fileName, new Blob([bytes], { type: 'application/octet-stream' }))
}
