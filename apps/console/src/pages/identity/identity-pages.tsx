import type { Item } from '@corridor/sdk/index.ts'
import { useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Id, Moment, shortOf } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { NameOf, Owner as OwnerById, useOwnerName } from '../../parts/names.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { readable, Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { Detail, page } from '../resources/detail.tsx'
import { makeVerified } from '../resources/samples.ts'

/** What is known of who customers are: verifications, documents, the owners of businesses. */

type Verification = Item<'listVerifications'>
type Document = Item<'listDocuments'>
type Owner = Item<'listBeneficialOwners'>

const verificationFilters: readonly Filter[] = [
  { name: 'customerId', label: t('Customer id') },
  {
    name: 'verificationStatus',
    label: t('Status'),
    options: [
      'RESOLVE_ERRORS',
      'PENDING_MANUAL_REVIEW',
      'IN_PROGRESS',
      'APPROVED',
      'REJECTED',
      'READY_FOR_VERIFICATION',
    ],
  },
]
const documentFilters: readonly Filter[] = [{ name: 'documentHolder', label: t('Id of the holder') }]

export function VerificationsPage() {
  const { corridor } = useSession()
  const [view] = useView()
  const query = filtersOf(view, verificationFilters)
  return (
    <>
      <PageHead title={words.pages.verifications} />
      <Filters of={verificationFilters} />
      <Rows<Verification>
        label={words.pages.verifications}
        list={['verifications', query]}
        read={(cursor) => corridor.verifications.list(page(cursor, query))}
        columns={[
          { title: t('Verification'), cell: ({ id }) => <Id id={id} short="end" /> },
          { title: t('Customer'), isWide: true, cell: ({ customerId }) => <NameOf id={customerId} /> },
          { title: t('Status'), cell: ({ verificationStatus: status }) => <Status status={status} /> },
          {
            title: t('To resolve'),
            isAmount: true,
            isNamed: true,
            cell: ({ errors }) => errors?.length ?? 0,
          },
          {
            title: t('Changed'),
            isWide: true,
            width: 'moment',
            cell: ({ updatedAt }) => <Moment at={updatedAt} short />,
          },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `verifications/${encodeURIComponent(id)}`}
        empty={
          <Empty
            title={t('No customer has been submitted for verification yet.')}
            filters={verificationFilters}
            find={(others) => corridor.verifications.list(page(undefined, others))}
            cli="corridor verifications create"
          >
            <VerifySomebody />
          </Empty>
        }
      />
    </>
  )
}

/** Fills both lists of a sandbox. */
function VerifySomebody() {
  const { corridor, environment } = useSession()
  if (environment !== 'sandbox') return null
  return <Act run={() => makeVerified(corridor)}>{t('Verify somebody')}</Act>
}

export function VerificationPage() {
  const { corridor } = useSession()
  return (
    <Detail<Verification>
      kind="verification"
      path="verifications"
      read={(id) => corridor.verifications.get(id)}
      titleOf={() => t('Verification')}
      statusOf={({ verificationStatus }) => verificationStatus}
      facts={({ customerId }) => [[t('Customer'), <Holder key="c" id={customerId} />]]}
      acts={({ customerId, verificationStatus: status }) =>
        (status === 'RESOLVE_ERRORS' || status === 'READY_FOR_VERIFICATION') && (
          <SubmitAgain customerId={customerId} />
        )
      }
      parts={({ errors }) =>
        errors &&
        errors.length > 0 && (
          <Part title={t('To resolve')}>
            <ul>
              {errors.map((error) => (
                <li key={JSON.stringify(error)}>
                  {readable(String((error as { type?: string }).type ?? 'ERROR'))}:{' '}
                  {(error as { reason?: string }).reason}
                </li>
              ))}
            </ul>
          </Part>
        )
      }
    />
  )
}

function SubmitAgain({ customerId }: { readonly customerId: string }) {
  const { corridor } = useSession()
  const customer = useOwnerName(customerId) ?? shortOf(customerId)
  return (
    <Act
      isMain
      asks={t('Submit {customer} for verification', { customer })}
      run={() => corridor.verifications.create({ customerId })}
    >
      {t('Submit again')}
    </Act>
  )
}

export function DocumentsPage() {
  const { corridor } = useSession()
  const [view] = useView()
  const query = filtersOf(view, documentFilters)
  return (
    <>
      <PageHead title={words.pages.documents} />
      <Filters of={documentFilters} />
      <Rows<Document>
        label={words.pages.documents}
        list={['documents', query]}
        read={(cursor) => corridor.documents.list(page(cursor, query))}
        columns={[
          { title: t('File'), cell: ({ fileName }) => fileName },
          { title: t('Type'), cell: ({ documentType }) => readable(documentType) },
          {
            title: t('Holder'),
            isWide: true,
            cell: ({ documentHolder }) => <NameOf id={documentHolder} />,
          },
          { title: t('Country'), isWide: true, cell: ({ country }) => country ?? '—' },
          {
            title: t('Created'),
            isWide: true,
            width: 'moment',
            cell: ({ createdAt }) => <Moment at={createdAt} short />,
          },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `documents/${encodeURIComponent(id)}`}
        empty={
          <Empty
            title={t('No documents have been uploaded yet.')}
            filters={documentFilters}
            find={(others) => corridor.documents.list(page(undefined, others))}
            cli="corridor documents create --file FILE"
          >
            <VerifySomebody />
          </Empty>
        }
      />
    </>
  )
}

export function DocumentPage() {
  const { corridor } = useSession()
  return (
    <Detail<Document>
      kind="document"
      path="documents"
      read={(id) => corridor.documents.get(id)}
      titleOf={({ fileName }) => fileName}
      facts={({ documentHolder, documentType, side, country }) => [
        [t('Holder'), <Holder key="h" id={documentHolder} />],
        [t('Type'), readable(documentType)],
        [t('Side'), side],
        [t('Country'), country],
      ]}
    />
  )
}

/** A customer by name; an owner of a business is none, and has its id. */
function Holder({ id }: { readonly id: string }) {
  return id.startsWith('Customer:') ? <OwnerById id={id} /> : <Id id={id} />
}

/** The owners of a business, for its page. */
export function OwnersOf({ customer }: { readonly customer: string }) {
  const { corridor } = useSession()
  return (
    <Part title={t('Beneficial owners')}>
      <Rows<Owner>
        label={t('Beneficial owners')}
        list={['beneficial-owners', customer]}
        read={(cursor) => corridor.beneficialOwners.list(page(cursor, { customerId: customer }))}
        columns={[
          { title: t('Name'), cell: nameOf },
          { title: t('Roles'), isWide: true, cell: ({ roles }) => roles.map(readable).join(', ') },
          {
            title: t('Share'),
            isAmount: true,
            cell: ({ ownershipPercentage: share }) => (share === undefined ? '—' : `${share} %`),
          },
          { title: t('Identity'), cell: ({ kycStatus }) => <Status status={kycStatus} /> },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `beneficial-owners/${encodeURIComponent(id)}`}
        empty={<Nothing title={t('No owners yet.')} cli="corridor beneficial-owners create" />}
      />
    </Part>
  )
}

export function BeneficialOwnerPage() {
  const { corridor } = useSession()
  return (
    <Detail<Owner>
      kind="owner"
      path="beneficial-owners"
      sdk="beneficialOwners"
      read={(id) => corridor.beneficialOwners.get(id)}
      titleOf={nameOf}
      statusOf={({ kycStatus }) => kycStatus}
      facts={({ customerId, roles, ownershipPercentage: share }) => [
        [t('Business'), <Holder key="c" id={customerId} />],
        [t('Roles'), roles.map(readable).join(', ')],
        [t('Share'), share === undefined ? undefined : `${share} %`],
      ]}
    />
  )
}

function nameOf({ personalInfo, id }: Owner): string {
  const { firstName, lastName } = (personalInfo ?? {}) as { firstName?: string; lastName?: string }
  return [firstName, lastName].filter(Boolean).join(' ') || id
}
