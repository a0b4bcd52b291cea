import type { Document } from '@corridor/engine/people/documents/index.ts'
import { categoriesOf, type Session, stepOf } from '@corridor/engine/people/hosted-verification/index.ts'
import { isIdentityType } from '@corridor/engine/people/verifications/index.ts'
import { type Content, html, type Markup } from '../html.ts'
import type { Field } from './fields.ts'
import { type Attempt, errorSummary, type FormState, fieldView, idOf } from './form-view.ts'
import { countryOptions, labelOf } from './labels.ts'
import { continueTo } from './step-navigation.ts'

const identityTypes = ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'] as const

const side: Field = {
  name: 'side',
  label: 'Which side',
  kind: 'select',
  options: [
    ['FRONT', 'Front only'],
    ['BACK', 'Back only'],
  ],
  hint: 'Leave this empty if one file shows the whole document.',
  isOptional: true,
}

/** What is asked about a document, beside its file. */
export function documentFields(session: Session): readonly Field[] {
  const { customer } = session
  const isPerson = customer.customerType === 'INDIVIDUAL'
  const holders = customer.owners.map(
    ({ id, personalInfo }) => [id, `${personalInfo.firstName} ${personalInfo.lastName}`] as const,
  )
  const holder: Field = {
    name: 'documentHolder',
    label: 'Whose document',
    kind: 'select',
    options: [[customer.id, customer.profile.businessInfo?.legalName ?? 'The company'], ...holders],
  }
  return [
    ...(isPerson ? [] : [holder]),
    {
      name: 'documentType',
      label: 'Type of document',
      kind: 'select',
      options: typesOf(session).map((type) => [type, labelOf(type)] as const),
      isHalf: true,
    },
    { name: 'country', label: 'Country of issue', kind: 'select', options: countryOptions, isHalf: true },
    {
      name: 'documentNumber',
      label: 'Document number',
      kind: 'secret',
      isHalf: true,
      ...(isPerson ? {} : { isOptional: true as const }),
    },
    {
      name: 'issuingAuthority',
      label: 'Issuing authority',
      kind: 'text',
      isHalf: true,
      ...(isPerson ? {} : { isOptional: true as const }),
    },
    side,
  ]
}

function typesOf(session: Session): readonly string[] {
  if (session.customer.customerType === 'INDIVIDUAL') return identityTypes
  const company = categoriesOf(session).flatMap(({ accepted }) => [...accepted] as string[])
  return [...new Set([...company, ...(session.customer.owners.length > 0 ? identityTypes : [])])]
}

export function documentsStep(session: Session, attempt?: Attempt) {
  const { customer, isDocumentPoor, problems, token, documents } = session
  const isPerson = customer.customerType === 'INDIVIDUAL'
  const fields = documentFields(session)
  const state: FormState = {
    values: { country: customer.profile.address?.country, documentHolder: customer.id },
    errors: attempt?.errors ?? new Map(),
    ...(attempt ? { posted: attempt.posted } : {}),
  }
  const isMissing = problems.some((problem) => stepOf(problem) === 'documents') || isDocumentPoor
  const form = html`
    <form method="post" action="/verify/${token}/documents" enctype="multipart/form-data" novalidate data-upload>
      <div class="grid">${fields.map((field) => fieldView(field, state))}${fileView(state.errors.get('file'))}</div>
      <div class="progress" data-progress hidden>
        <label for="upload-progress">Uploading</label>
        <progress id="upload-progress" max="100" value="0"></progress>
      </div>
      <p class="status" role="status" data-status></p>
      <p class="actions"><button type="submit">Upload</button></p>
    </form>`
  const isOpen = isMissing || attempt !== undefined
  return {
    title: isPerson ? 'Identity document' : 'Documents',
    body: html`
      ${isDocumentPoor && poorNotice}
      ${isPerson ? individualLead : businessLead(session)}
      ${documents.length > 0 && documentList(session)}
      ${problemNotes(session)}
      ${errorSummary([...fields, { name: 'file', label: 'File', kind: 'text' }], state.errors)}
      ${isOpen ? form : html`<details class="more"><summary>Upload another document</summary>${form}</details>`}
      ${!isMissing && continueTo(session, 'documents')}`,
  }
}

const poorNotice = html`
  <div class="notice bad" role="alert" tabindex="-1" data-focus>
    <h2>We could not read your document</h2>
    <p>Please upload a better picture. The whole document must be visible with all corners, sharp and without reflections.</p>
  </div>`

const individualLead = html`
  <p class="lead">Upload a valid passport, driving licence or national identity card.</p>`

function businessLead(session: Session): Markup {
  return html`
    <p class="lead">Upload one document for each line. The same document can count for several lines.</p>
    <ul class="proofs">
      ${categoriesOf(session).map(
        ({ subject, accepted, isProved }) => html`
          <li class="${isProved ? 'done' : ''}">
            <strong>Proves ${subject}</strong>
            <span class="hidden">${isProved ? ', complete' : ', missing'}</span>
            <span>${accepted.map((type) => labelOf(type)).join(', ')}</span>
          </li>`,
      )}
    </ul>`
}

function documentList({ documents, customer, token }: Session): Markup {
  const names = new Map<string, string>(
    customer.owners.map(({ id, personalInfo }) => [id, `${personalInfo.firstName} ${personalInfo.lastName}`]),
  )
  return html`
    <h2>Uploaded</h2>
    <ul class="cards">${documents.map((document) => documentCard(document, names.get(document.holderId), token))}</ul>`
}

function documentCard(document: Document, holder: string | undefined, token: string): Markup {
  const { id, documentType, details, side: shown, status, sizeBytes } = document
  const title = labelOf(documentType)
  return html`
    <li>
      <strong>${title}${shown && `, ${shown.toLowerCase()}`}${holder && ` of ${holder}`}</strong>
      <span>${details.fileName} (${sizeOf(sizeBytes)})</span>
      ${
        status === 'UPLOADED' &&
        html`
        <form method="post" action="/verify/${token}/documents/${id}/remove">
          <button type="submit" class="plain">Remove<span class="hidden"> ${title}</span></button>
        </form>`
      }
    </li>`
}

/** What is wrong with documents that are there, in words; what is missing shows by itself. */
function problemNotes({ problems, documents, customer }: Session): Content {
  const lines = problems.flatMap(({ type, resourceId, reason, acceptedDocumentTypes = [] }) => {
    const document = documents.find(({ id }) => id === resourceId)
    if (document) return [`${labelOf(document.documentType)}: ${reason}`]
    const owner = customer.owners.find(({ id }) => id === resourceId)
    if (!owner || type !== 'MISSING_IDENTITY_DOCUMENT') return []
    const isPassportMissing = acceptedDocumentTypes.includes('PASSPORT')
    const isSecondMissing = acceptedDocumentTypes.includes('NATIONAL_ID')
    const types = [
      ...(isPassportMissing ? ['a passport'] : []),
      ...(isSecondMissing ? ['a driving licence or a national identity card'] : []),
    ].join(', and ')
    const { firstName, lastName } = owner.personalInfo
    return [`Still needed from ${firstName} ${lastName}: ${types}.`]
  })
  if (lines.length === 0) return undefined
  return html`<div class="notice"><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>`
}

export function isIdentity(type: unknown): boolean {
  return typeof type === 'string' && isIdentityType(type as never)
}

function fileView(error: string | undefined): Markup {
  const id = idOf('file')
  return html`
    <div class="field ${error ? 'wrong' : ''}">
      <label for="${id}">File</label>
      <p class="hint" id="${id}-hint">PDF, JPEG or PNG, at most 10 MB. On a phone you can take a picture.</p>
      ${error && html`<p class="error" id="${id}-error">${error}</p>`}
      <input type="file" id="${id}" name="file" accept="application/pdf,image/jpeg,image/png,.pdf,.jpg,.jpeg,.png"
        aria-describedby="${id}-hint${error ? ` ${id}-error` : ''}" ${error && html`aria-invalid="true"`} required>
      <div class="preview" data-preview hidden></div>
    </div>`
}

function sizeOf(bytes: number): string {
  return bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
