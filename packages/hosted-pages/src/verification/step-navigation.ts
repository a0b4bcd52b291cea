import { nextStep, type Session, type StepName } from '@corridor/engine/people/hosted-verification/index.ts'
import { html, type Markup } from '../html.ts'

const titles: Readonly<Record<Session['customer']['customerType'], Readonly<Record<StepName, string>>>> = {
  INDIVIDUAL: {
    details: 'Your details',
    owners: 'People',
    documents: 'Identity document',
    review: 'Check and send',
  },
  BUSINESS: {
    details: 'The company',
    owners: 'People',
    documents: 'Documents',
    review: 'Check and send',
  },
}

export function titleOf({ customer }: Session, step: StepName): string {
  return titles[customer.customerType][step]
}

export function stepsView(session: Session, current: StepName): Markup {
  const { steps } = session
  const at = steps.findIndex(({ name }) => name === current)
  return html`
    <nav aria-label="Steps">
      <p class="position">Step ${at + 1} of ${steps.length}</p>
      <ol class="steps">
        ${steps.map(
          ({ name, isDone }) => html`
            <li class="${name === current ? 'current' : ''}${isDone ? ' done' : ''}">
              <a href="?step=${name}" ${name === current && html`aria-current="step"`}>
                <span class="title">${titleOf(session, name)}</span>
                ${isDone && html`<span class="hidden">, complete</span>`}
              </a>
            </li>`,
        )}
      </ol>
    </nav>`
}

/** On to what is next, for a step that is complete. */
export function continueTo(session: Session, from: StepName): Markup {
  const next = nextStep(session)
  const after = session.steps[session.steps.findIndex(({ name }) => name === from) + 1]?.name ?? 'review'
  return html`<p class="actions"><a class="button" href="?step=${next === from ? after : next}">Continue</a></p>`
}
