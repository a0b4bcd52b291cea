import type { BeneficialOwner } from '@corridor/engine/people/customers/index.ts'
import { type Session, type StepName, stepOf } from '@corridor/engine/people/hosted-verification/index.ts'
import { type Content, html, type Markup } from '../html.ts'
import { documentsStep } from './document-view.ts'
import { businessGroups, fieldsOf, type Group, individualGroups, ownerGroups } from './fields.ts'
import { type Attempt, errorSummary, type FormState, groupsView } from './form-view.ts'
import { countryName, labelOf } from './labels.ts'
import { pageOf } from './layout.ts'
import { valueAt } from './posted.ts'
import { continueTo, stepsView, titleOf } from './step-navigation.ts'

const none: FormState['errors'] = new Map()

export function groupsOf({ customer }: Session): readonly Group[] {
  return customer.customerType === 'INDIVIDUAL' ? individualGroups : businessGroups
}

export function stepPage(session: Session, step: StepName, attempt?: Attempt) {
  const { notice, link, isAsked } = session
  const views: Record<StepName, () => { title: string; body: Content }> = {
    details: () => detailsStep(session, attempt),
    owners: () => ownersStep(session, attempt),
    documents: () => documentsStep(session, attempt),
    review: () => reviewStep(session, attempt),
  }
  const { title, body } = views[step]()
  return pageOf({
    title,
    notice,
    redirectUri: link.redirectUri,
    status: attempt && attempt.errors.size > 0 ? 422 : 200,
    body: html`${isAsked && stepsView(session, step)}<h1>${title}</h1>${body}`,
  })
}

function detailsStep(session: Session, attempt?: Attempt) {
  const { customer } = session
  const groups = groupsOf(session)
  const state: FormState = {
    values: customer.profile,
    errors: attempt?.errors ?? none,
    onFile: new Set(customer.identifierSealed === null ? [] : ['identifier']),
    ...(attempt ? { posted: attempt.posted } : {}),
  }
  const isPerson = customer.customerType === 'INDIVIDUAL'
  return {
    title: isPerson ? 'Your details' : 'The company',
    body: html`
      <p class="lead">Fill in every field that is not marked as optional. We have filled in the information that we already have.</p>
      ${errorSummary(fieldsOf(groups), state.errors)}
      <form method="post" action="/verify/${session.token}/details" novalidate>
        ${groupsView(groups, state)}
        <p class="actions"><button type="submit">Save and continue</button></p>
      </form>`,
  }
}

function ownersStep(session: Session, attempt?: Attempt) {
  const { customer, problems } = session
  const state: FormState = {
    values: {},
    errors: attempt?.errors ?? none,
    ...(attempt ? { posted: attempt.posted } : {}),
  }
  const missing = problems.filter((problem) => stepOf(problem) === 'owners')
  const form = html`
    <form method="post" action="/verify/${session.token}/owners" novalidate>
      ${groupsView(ownerGroups, state)}
      <p class="actions"><button type="submit">Add this person</button></p>
    </form>`
  const isOpen = missing.length > 0 || attempt !== undefined
  return {
    title: 'People who own or control the company',
    body: html`
      <p class="lead">Add every person who owns 25% or more of the company, and at least one person who controls the company.</p>
      ${customer.owners.length > 0 && html`<ul class="cards">${customer.owners.map(ownerCard)}</ul>`}
      ${
        missing.length > 0 &&
        customer.owners.length > 0 &&
        html`<p class="notice">Add a person who controls the company, such as a director.</p>`
      }
      ${errorSummary(fieldsOf(ownerGroups), state.errors)}
      ${isOpen ? form : html`<details class="more"><summary>Add another person</summary>${form}</details>`}
      ${!isOpen && continueTo(session, 'owners')}`,
  }
}

function ownerCard({ personalInfo, roles, ownershipPercentage }: BeneficialOwner): Markup {
  const { firstName, middleName = '', lastName } = personalInfo
  const part = ownershipPercentage > 0 ? `${ownershipPercentage}%, ` : ''
  return html`
    <li>
      <strong>${[firstName, middleName, lastName].filter(Boolean).join(' ')}</strong>
      <span>${part}${roles.map((role) => labelOf(role).replace(/ \(.*/, '')).join(', ')}</span>
    </li>`
}

function reviewStep(session: Session, attempt?: Attempt) {
  const { customer, problems, isAsked, token, documents } = session
  const name = customer.profile.businessInfo?.legalName ?? customer.profile.fullName
  const missing = isAsked ? problems : []
  const send = html`
    <form method="post" action="/verify/${token}/complete">
      <p class="actions"><button type="submit">Send for verification</button></p>
    </form>`
  if (!isAsked) {
    return {
      title: 'Confirm the verification',
      body: html`<p class="lead">There is nothing for ${name ?? 'you'} to fill in. Confirm to finish.</p>${send}`,
    }
  }
  const holders = new Map<string, string>(
    customer.owners.map(({ id, personalInfo }) => [id, personalInfo.lastName]),
  )
  return {
    title: 'Check and send',
    body: html`
      <p class="lead">Check your information before you send it.</p>
      ${errorSummary([], attempt?.errors ?? none)}
      ${missing.length > 0 && missingView(session)}
      ${groupsOf(session).map((group) => summaryOf(group, session))}
      ${
        customer.customerType === 'BUSINESS' &&
        html`
        <section class="summary">
          <h2>People</h2><a class="change" href="?step=owners">Change<span class="hidden"> people</span></a>
          <ul class="cards">${customer.owners.map(ownerCard)}</ul>
        </section>`
      }
      <section class="summary">
        <h2>Documents</h2><a class="change" href="?step=documents">Change<span class="hidden"> documents</span></a>
        <ul class="cards">
          ${documents.map(
            ({ documentType, details, holderId }) => html`
              <li><strong>${labelOf(documentType)}${holders.has(holderId) && ` of ${holders.get(holderId)}`}</strong>
              <span>${details.fileName}</span></li>`,
          )}
        </ul>
      </section>
      ${missing.length === 0 && html`<p>By sending this form, you confirm that your information is true and complete.</p>${send}`}`,
  }
}

function missingView(session: Session): Markup {
  const { problems, steps } = session
  const open = steps.filter(({ name }) => problems.some((problem) => stepOf(problem) === name))
  return html`
    <div class="notice bad" role="alert">
      <h2>Some information is still missing</h2>
      <ul>${open.map(({ name }) => html`<li><a href="?step=${name}">${titleOf(session, name)}</a></li>`)}</ul>
    </div>`
}

function summaryOf({ title, fields }: Group, { customer }: Session): Markup {
  const lines = fields.map((field) => {
    const value = valueAt(customer.profile, field.name)
    const isSealed = field.kind === 'secret' && customer.identifierSealed !== null
    const text = isSealed ? 'On file' : textOf(value, field.options !== undefined && field.name)
    return text === '' ? undefined : html`<div><dt>${field.label}</dt><dd>${text}</dd></div>`
  })
  return html`
    <section class="summary">
      <h2>${title}</h2><a class="change" href="?step=details">Change<span class="hidden"> ${title}</span></a>
      <dl>${lines}</dl>
    </section>`
}

function textOf(value: unknown, choiceName: string | false): string {
  if (Array.isArray(value)) return value.map((each) => textOf(each, choiceName)).join(', ')
  if (typeof value !== 'string' || choiceName === false) return typeof value === 'string' ? value : ''
  return /^[A-Z]{2}$/.test(value) ? countryName(value) : labelOf(value)
}
