import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostedPage } from '@corridor/engine/mechanisms/feature/bound.ts'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import type { HostedAnswer, HostedRequest } from '@corridor/engine/mechanisms/http/hosted-page.ts'
import { createOwner } from '@corridor/engine/people/beneficial-owners/index.ts'
import { updateCustomer } from '@corridor/engine/people/customers/index.ts'
import { deleteDocument, maxFileBytes, uploadDocument } from '@corridor/engine/people/documents/index.ts'
import {
  type Completion,
  completeLink,
  loadSession,
  nextStep,
  openLink,
  problemsOfPosted,
  type Session,
  type StepName,
} from '@corridor/engine/people/hosted-verification/index.ts'
import { isFinal } from '@corridor/engine/people/verifications/index.ts'
import { type FieldError, isId, ok } from '@corridor/kernel'
import { html } from '../html.ts'
import { documentFields, isIdentity } from './document-view.ts'
import { type Field, fieldsOf, ownerGroups } from './fields.ts'
import { type Ending, endingPage, pageOf } from './layout.ts'
import { toBody } from './posted.ts'
import { groupsOf, stepPage } from './step-views.ts'
import { submitBody } from './submitted-body.ts'

type Answerer = (engine: Engine, session: Session, request: HostedRequest) => Promise<HostedAnswer>

/** A page behind a link: the visit is looked up, and ends here when the link does not lead on. */
function behindLink(
  method: 'GET' | 'POST',
  suffix: string,
  answer: Answerer,
  body: Pick<HostedPage, 'bodyLimit' | 'takesFiles'> = {},
): HostedPage {
  return {
    path: `/verify/:token${suffix}`,
    method,
    ...body,
    async admit(engine, request) {
      // The token is what keeps forgers out; a browser that says where a form came from is one lock more.
      if (method === 'POST' && isFromElsewhere(request)) return endingPage('FOREIGN')
      const visit = await openLink(engine, request.params.token ?? '')
      return visit && !visit.end ? undefined : endingPage(visit?.end ?? 'UNKNOWN')
    },
    async answer(engine, request) {
      const token = request.params.token ?? ''
      const visit = await openLink(engine, token)
      // It may have ended while the body came.
      if (!visit || visit.end) return ok(endingPage(visit?.end ?? 'UNKNOWN'))
      return ok(await answer(engine, await loadSession(engine, token, visit), request))
    },
  }
}

function isFromElsewhere({ header }: Pick<HostedRequest, 'header'>): boolean {
  return ['cross-site', 'same-site'].includes(header('sec-fetch-site') ?? '')
}

const showStep: Answerer = async (_engine, session, { query }) => {
  if (isFinal(session.customer.status)) return finishPage(session)
  if (!session.isAsked) return stepPage(session, 'review')
  const asked = session.steps.find(({ name }) => name === query.step)?.name
  return stepPage(session, asked ?? nextStep(session))
}

const saveDetails: Answerer = async (engine, session, request) => {
  const { scope, customer } = session
  const fields = fieldsOf(groupsOf(session))
  const body = { ...toBody(fields, request.body), customerType: customer.customerType }
  const onFile = customer.identifierSealed === null ? [] : ['identifier']
  const problems = [
    ...unanswered(fields, body, onFile),
    ...(await problemsOfPosted(engine, scope, 'details', body, { customerId: customer.id })),
  ]
  if (problems.length > 0) return refuse(session, 'details', fields, problems, request)
  const saved = await updateCustomer(engine, scope, { id: customer.id, request: body as never })
  if (!saved.ok) return refuse(session, 'details', fields, [{ field: '', message: notSaved }], request)
  return moveOn(engine, session, request)
}

const addOwner: Answerer = async (engine, session, request) => {
  const { scope, customer } = session
  const fields = fieldsOf(ownerGroups)
  const body = { ...toBody(fields, request.body), customerId: customer.id }
  const problems = [...unanswered(fields, body), ...(await problemsOfPosted(engine, scope, 'owner', body))]
  if (problems.length > 0) return refuse(session, 'owners', fields, problems, request)
  const added = await createOwner(engine, scope, body as never)
  if (!added.ok) {
    const errors = (added.failure.details.errors ?? [{ field: '', message: notSaved }]) as FieldError[]
    return refuse(session, 'owners', fields, errors, request)
  }
  return moveOn(engine, session, request, 'owners')
}

const maxDocuments = 50

const addDocument: Answerer = async (engine, session, request) => {
  const { scope, customer, documents } = session
  const fields = documentFields(session)
  const answers = toBody(fields, request.body)
  const { documentHolder = customer.id } = answers
  const isTheirs = [customer.id, ...customer.owners.map(({ id }) => id)].some((id) => id === documentHolder)
  const body: Record<string, unknown> = { ...answers, documentHolder, file: request.body.file }
  if (body.file === undefined) delete body.file
  const needsDetails = isIdentity(body.documentType) && documentHolder === customer.id
  const required = fields.filter(({ name, isOptional }) => !isOptional || (needsDetails && name !== 'side'))
  const problems: FieldError[] = [
    ...unanswered(required, body),
    ...(await problemsOfPosted(engine, scope, 'document', body)),
    ...(isTheirs ? [] : [{ field: 'documentHolder', message: 'is not one of the options' }]),
    ...(documents.length >= maxDocuments
      ? [{ field: 'file', message: 'exceeds the maximum number of files' }]
      : []),
  ]
  if (problems.length > 0) return refuse(session, 'documents', fields, problems, request)
  const stored = await uploadDocument(engine, scope, body as never)
  if (!stored.ok) {
    const message = 'cannot be used; upload another file'
    return refuse(session, 'documents', fields, [{ field: 'file', message }], request)
  }
  return moveOn(engine, session, request, 'documents')
}

const removeDocument: Answerer = async (engine, session, request) => {
  const id = request.params.documentId ?? ''
  const isTheirs = session.documents.some((document) => document.id === id)
  // One that is gone already, or locked by a submission, is simply shown as it is.
  if (isTheirs && isId('Document', id)) await deleteDocument(engine, session.scope, id)
  return moveOn(engine, session, request, 'documents')
}

/** Takes what else was sent along, then submits (customers 8). */
const complete: Answerer = async (engine, session, request) => {
  const { problems, session: current } = await submitBody(engine, session, request.body)
  if (problems.length > 0) return refuse(current, 'review', [], problems, request)
  const completion = await completeLink(engine, session.token, current.scope)
  return isJson(request) ? completionJson(completion, current) : completionPage(engine, completion, current)
}

async function completionPage(
  engine: Engine,
  completion: Completion,
  session: Session,
): Promise<HostedAnswer> {
  const { token, link } = session
  switch (completion.kind) {
    case 'DONE':
      return link.redirectUri === null ? endingPage(endingOf(completion)) : redirect(302, link.redirectUri)
    case 'ENDED':
      return endingPage(completion.visit.end ?? 'USED')
    case 'RETRY':
      return redirect(303, `/verify/${token}?step=documents`)
    case 'INCOMPLETE': {
      const visit = await openLink(engine, token)
      const now = visit ? await loadSession(engine, token, visit) : session
      return { ...stepPage(now, 'review'), status: 422 }
    }
    case 'REFUSED': {
      const isContact = completion.failure.details.contactVerification !== undefined
      const message = isContact
        ? 'Confirm your e-mail address and your phone number first.'
        : 'Your data could not be sent. Please try again.'
      return stepPage(session, 'review', { posted: {}, errors: new Map([['', message]]) })
    }
  }
}

function completionJson(completion: Completion, { link }: Session): HostedAnswer {
  switch (completion.kind) {
    case 'DONE':
      return json(200, {
        verificationStatus: completion.verification?.status ?? completion.customer.status,
        errors: [],
        ...(link.redirectUri === null ? {} : { redirectUri: link.redirectUri }),
      })
    case 'ENDED':
      return json(410, { reason: completion.visit.end })
    case 'REFUSED':
      return json(409, { reason: completion.failure.code })
    default: {
      const { status, errors } = completion.verification
      return json(422, { verificationStatus: status, errors })
    }
  }
}

function endingOf({ customer, verification }: Extract<Completion, { kind: 'DONE' }>): Ending {
  if (!verification) return 'ALREADY_DECIDED'
  return isFinal(customer.status) ? customer.status : 'IN_REVIEW'
}

/** For somebody who is decided already: finishing changes nothing but the link. */
function finishPage({ token, notice, link }: Session): HostedAnswer {
  const title = 'Nothing left to do'
  return pageOf({
    title,
    notice,
    redirectUri: link.redirectUri,
    body: html`
      <h1>${title}</h1>
      <p class="lead">The verification is already complete.</p>
      <form method="post" action="/verify/${token}/complete">
        <p class="actions"><button type="submit">Finish</button></p>
      </form>`,
  })
}

const notSaved = 'Your information could not be saved. Please try again.'

/** Questions without an answer; the validator alone would let most of them pass on a change. */
function unanswered(
  fields: readonly Field[],
  body: Readonly<Record<string, unknown>>,
  onFile: readonly string[] = [],
): FieldError[] {
  return fields
    .filter(({ name, isOptional }) => !isOptional && !onFile.includes(name))
    .filter(({ name }) => name.split('.').reduce<unknown>(member, body) === undefined)
    .map(({ name }) => ({ field: name, message: 'is required' }))
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

/** Shows the form again with everything that is wrong, or tells the script, which keeps the form. */
function refuse(
  session: Session,
  step: StepName,
  fields: readonly Field[],
  problems: readonly FieldError[],
  request: HostedRequest,
): HostedAnswer {
  const errors = new Map<string, string>()
  for (const { field, message = 'is not valid', constraint } of problems) {
    const known = fields.find(({ name }) => field === name || field.startsWith(`${name}.`))
    // A whole group that is missing says no more than its questions, which have their own line.
    if (!known && fields.some(({ name }) => name.startsWith(`${field}.`))) continue
    const label = known?.label ?? (field === 'file' ? 'File' : '')
    const words = known?.wrongForm && constraint?.pattern !== undefined ? known.wrongForm : message
    const name = known?.name ?? field
    if (!errors.has(name)) errors.set(name, label === '' ? message : `${label} ${words}`)
  }
  if (isJson(request)) {
    return json(422, { errors: [...errors].map(([field, message]) => ({ field, message })) })
  }
  return stepPage(session, step, { posted: request.body, errors })
}

/** After a step: to the next one with something to do, or back to where more can be added. */
async function moveOn(
  engine: Engine,
  { token }: Session,
  request: HostedRequest,
  stay?: StepName,
): Promise<HostedAnswer> {
  const visit = await openLink(engine, token)
  const next = visit && !visit.end ? nextStep(await loadSession(engine, token, visit)) : 'review'
  const location = `/verify/${token}?step=${stay ?? next}`
  return isJson(request) ? json(200, { location }) : redirect(303, location)
}

function isJson({ header }: HostedRequest): boolean {
  const wanted = header('accept') ?? ''
  return wanted.includes('application/json') || (header('content-type') ?? '').startsWith('application/json')
}

function json(status: number, body: object): HostedAnswer {
  const headers = { 'cache-control': 'no-store' }
  return { status, contentType: 'application/json', body: JSON.stringify(body), headers }
}

function redirect(status: 302 | 303, location: string): HostedAnswer {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' }
  return { status, contentType: 'text/plain', body: '', headers }
}

/** Beside this file, from the sources and from the bundle alike. */
function asset(name: string, contentType: string): HostedPage {
  return {
    path: `/verify/assets/${name}`,
    async answer() {
      const body = await readFile(join(import.meta.dirname, 'assets', name), 'utf8')
      return ok({ contentType, body, headers: { 'cache-control': 'public, max-age=3600' } })
    },
  }
}

/** One document, and the fields beside it. */
const withFile = { bodyLimit: maxFileBytes + 256 * 1024, takesFiles: true } as const

export const verificationPages: readonly HostedPage[] = [
  asset('verify.css', 'text/css'),
  asset('verify.js', 'text/javascript'),
  behindLink('GET', '', showStep),
  behindLink('POST', '/details', saveDetails),
  behindLink('POST', '/owners', addOwner),
  behindLink('POST', '/documents', addDocument, withFile),
  behindLink('POST', '/documents/:documentId/remove', removeDocument),
  behindLink('POST', '/complete', complete, withFile),
]
