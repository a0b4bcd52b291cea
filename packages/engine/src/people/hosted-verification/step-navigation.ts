import { html, type Markup } from './html.ts'
import { nextStep, type Session, type StepName } from './session.ts'

export function stepsView(
  steps: readonly { readonly name: string; readonly title: string; readonly isDone: boolean }[],
  current: string,
): Markup {
  const at = steps.findIndex(({ name }) => name === current)
  return html`
    <nav aria-label="Steps">
      <p class="position">Step ${at + 1} of ${steps.length}</p>
      <ol class="steps">
        ${steps.map(
          ({ name, title, isDone }) => html`
            <li class="${name === current ? 'current' : ''}${isDone ? ' done' : ''}">
              <a href="?step=${name}" ${name === current && html`aria-current="step"`}>
                <span class="title">${title}</span>
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
