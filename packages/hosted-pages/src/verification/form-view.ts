import { type Content, html, type Markup } from '../html.ts'
import type { Field, Group } from './fields.ts'
import { valueAt } from './posted.ts'

/** What a form shows: values to fill in, by path or as they were posted, and errors by field. */
export interface FormState {
  readonly values: unknown
  readonly posted?: Readonly<Record<string, unknown>>
  readonly errors: ReadonlyMap<string, string>
  /** Secrets that are stored: never filled in, and not asked for again. */
  readonly onFile?: ReadonlySet<string>
}

/** What was posted and refused, to be shown again beside what is wrong with it. */
export interface Attempt {
  readonly posted: Readonly<Record<string, unknown>>
  readonly errors: ReadonlyMap<string, string>
}

export function groupsView(groups: readonly Group[], state: FormState): Markup[] {
  return groups.map(
    ({ title, fields }) => html`
      <section class="group">
        <h2>${title}</h2>
        <div class="grid">${fields.map((field) => fieldView(field, state))}</div>
      </section>`,
  )
}

/** Everything wrong at once, above the form, each a link to its field. */
export function errorSummary(fields: readonly Field[], errors: ReadonlyMap<string, string>): Content {
  if (errors.size === 0) return undefined
  const known = new Map(fields.map((field) => [field.name, field]))
  const lines = [...errors].map(([name, message]) => {
    const field = known.get(name)
    return field ? html`<li><a href="#${anchorOf(field)}">${message}</a></li>` : html`<li>${message}</li>`
  })
  return html`
    <div class="notice bad" role="alert" tabindex="-1" data-focus>
      <h2>Please check ${errors.size === 1 ? 'one field' : `${errors.size} fields`}</h2>
      <ul>${lines}</ul>
    </div>`
}

/** Where a link to a field leads: its control, or the first of several. */
function anchorOf({ name, kind, options = [] }: Field): string {
  return kind === 'checks' ? idOf(`${name}.${options[0]?.[0] ?? ''}`) : idOf(name)
}

export function idOf(name: string): string {
  return `f-${name.replaceAll('.', '-')}`
}

export function fieldView(field: Field, state: FormState): Markup {
  const { name, label, hint, isOptional, isHalf } = field
  const error = state.errors.get(name)
  const isOnFile = state.onFile?.has(name) ?? false
  const id = idOf(name)
  const shownHint = isOnFile ? 'Already on file. Fill in only to change it.' : hint
  const described = [shownHint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const about = html`
    ${shownHint && html`<p class="hint" id="${id}-hint">${shownHint}</p>`}
    ${error && html`<p class="error" id="${id}-error">${error}</p>`}`
  const optional = isOptional && html` <span class="optional">optional</span>`
  const classes = `field${isHalf ? ' half' : ''}${error ? ' wrong' : ''}`
  if (field.kind === 'checks') {
    return html`
      <fieldset class="${classes}" ${described && html`aria-describedby="${described}"`}>
        <legend>${label}${optional}</legend>
        ${about}
        ${checksView(field, state)}
      </fieldset>`
  }
  const attributes = html`id="${id}" name="${name}"
    ${described && html`aria-describedby="${described}"`} ${error && html`aria-invalid="true"`}
    ${!isOptional && !isOnFile && html`required`}
    ${field.autocomplete && html`autocomplete="${field.autocomplete}"`}`
  return html`
    <div class="${classes}">
      <label for="${id}">${label}${optional}</label>
      ${about}
      ${controlView(field, attributes, textOf(field, state))}
    </div>`
}

function controlView({ kind, options = [] }: Field, attributes: Markup, value: string): Markup {
  switch (kind) {
    case 'select':
      return html`<select ${attributes}>
        <option value="">Choose</option>
        ${options.map(
          ([option, name]) =>
            html`<option value="${option}" ${option === value && html`selected`}>${name}</option>`,
        )}
      </select>`
    case 'date':
      return html`<input type="date" ${attributes} value="${value}">`
    case 'integer':
      return html`<input type="text" inputmode="numeric" ${attributes} value="${value}">`
    case 'secret':
      return html`<input type="text" autocomplete="off" spellcheck="false" ${attributes} value="">`
    default:
      return html`<input type="text" maxlength="512" ${attributes} value="${value}">`
  }
}

function checksView({ name, options = [], isLong, label }: Field, state: FormState): Markup {
  const chosen = new Set(
    state.posted
      ? options.map(([value]) => value).filter((value) => state.posted?.[`${name}.${value}`] !== undefined)
      : ((valueAt(state.values, name) as string[] | undefined) ?? []),
  )
  const boxes = options.map(
    ([value, text]) => html`
      <label class="check">
        <input type="checkbox" id="${idOf(`${name}.${value}`)}" name="${name}.${value}"
          ${chosen.has(value) && html`checked`}>
        <span>${text}</span>
      </label>`,
  )
  return isLong
    ? html`<div class="checks long" data-search="Search: ${label.toLowerCase()}">${boxes}</div>`
    : html`<div class="checks">${boxes}</div>`
}

function textOf({ name, kind }: Field, { values, posted }: FormState): string {
  if (kind === 'secret') return ''
  const value = posted ? posted[name] : valueAt(values, name)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
