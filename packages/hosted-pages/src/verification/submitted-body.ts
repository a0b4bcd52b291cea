import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import { fileOfBytes } from '@corridor/engine/mechanisms/http/uploads.ts'
import { createOwner } from '@corridor/engine/people/beneficial-owners/index.ts'
import { updateCustomer } from '@corridor/engine/people/customers/index.ts'
import { uploadDocument } from '@corridor/engine/people/documents/index.ts'
import {
  loadSession,
  openLink,
  problemsOfPosted,
  type Session,
} from '@corridor/engine/people/hosted-verification/index.ts'
import type { FieldError } from '@corridor/kernel'
import { fieldsOf } from './fields.ts'
import { toBody } from './posted.ts'
import { groupsOf } from './step-views.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * What may be sent together with the submission: fields of the customer under the names of the API (or as
 * the form names them), `documents` with their content in base64 (or one `file`), and `beneficialOwners`.
 * All of it is checked before any of it is stored. What is stored stays, even if more is missing.
 */
export async function submitBody(
  engine: Engine,
  session: Session,
  body: Members,
): Promise<{ problems: readonly FieldError[]; session: Session }> {
  const { scope, customer, token } = session
  const details = detailsOf(session, body)
  const documents = documentsOf(session, body)
  const owners = listOf(body.beneficialOwners).map((owner) => ({ ...owner, customerId: customer.id }))
  const problems: FieldError[] = []
  if (details) {
    problems.push(...(await problemsOfPosted(engine, scope, 'details', details, { customerId: customer.id })))
  }
  for (const [index, document] of documents.entries()) {
    const found = await problemsOfPosted(engine, scope, 'document', document)
    problems.push(...found.map((problem) => ({ ...problem, field: `documents.${index}.${problem.field}` })))
  }
  for (const [index, owner] of owners.entries()) {
    const found = await problemsOfPosted(engine, scope, 'owner', owner)
    problems.push(
      ...found.map((problem) => ({ ...problem, field: `beneficialOwners.${index}.${problem.field}` })),
    )
  }
  if (problems.length > 0 || (!details && documents.length + owners.length === 0))
    return { problems, session }

  const outcomes = [
    ...(details ? [await updateCustomer(engine, scope, { id: customer.id, request: details as never })] : []),
  ]
  for (const owner of owners) outcomes.push(await createOwner(engine, scope, owner as never))
  for (const document of documents) outcomes.push(await uploadDocument(engine, scope, document as never))
  for (const outcome of outcomes) {
    if (outcome.ok) continue
    const { errors = [{ field: '', message: `refused: ${outcome.failure.code}` }] } = outcome.failure.details
    problems.push(...(errors as FieldError[]))
  }
  const visit = await openLink(engine, token)
  return { problems, session: visit ? await loadSession(engine, token, visit) : session }
}

function detailsOf(session: Session, body: Members): Record<string, unknown> | undefined {
  const fields = fieldsOf(groupsOf(session))
  const names = new Set(fields.map(({ name }) => name.split('.')[0]!))
  const flat = toBody(
    fields.filter(({ name }) => name.includes('.')),
    body,
  )
  const given: Record<string, unknown> = { ...flat }
  for (const name of names) if (body[name] !== undefined && body[name] !== '') given[name] = body[name]
  if (Object.keys(given).length === 0) return undefined
  return { ...given, customerType: session.customer.customerType }
}

function documentsOf({ customer }: Session, body: Members): Record<string, unknown>[] {
  const inJson = listOf(body.documents).map(({ fileName, contentType, content, ...rest }) => ({
    documentHolder: customer.id,
    ...rest,
    file: fileOfBytes(
      {
        name: typeof fileName === 'string' ? fileName : 'file',
        contentType: typeof contentType === 'string' ? contentType : '',
      },
      Buffer.from(typeof content === 'string' ? content : '', 'base64'),
    ),
  }))
  if (body.file === undefined) return inJson
  const about = ['documentType', 'country', 'documentNumber', 'issuingAuthority', 'side'] as const
  const inForm: Record<string, unknown> = { documentHolder: customer.id, file: body.file }
  for (const name of about) if (body[name] !== undefined && body[name] !== '') inForm[name] = body[name]
  return [...inJson, inForm]
}

function listOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return []
  return value.filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null)
}
