import { type RefObject, useEffect } from 'react'

interface WrongField {
  /** Where it is in the request, as `match.operationId`. */
  readonly field?: string
  /** The id of the element that says what is wrong with it. */
  readonly saidBy: string
}

/**
 * Ties what is wrong to the fields of the form beside it, by their `name`, and gives the summary the focus, so that who cannot
 * see it hears it. A fold with one of them in it is opened: what is wrong is not to be looked for. It is undone when the summary goes.
 */
export function useTiedFields(
  summary: RefObject<HTMLElement | null>,
  fields: readonly WrongField[],
  isAnswer: boolean,
): void {
  const key = JSON.stringify(fields)
  useEffect(() => {
    if (!isAnswer || !summary.current) return
    summary.current.focus()
    const undoing = (JSON.parse(key) as WrongField[]).map(({ field, saidBy }) => {
      const control = field === undefined ? undefined : controlOf(summary.current!, field)
      if (!control) return () => {}
      unfold(control)
      control.setAttribute('aria-invalid', 'true')
      control.setAttribute('aria-describedby', saidBy)
      return () => {
        control.removeAttribute('aria-invalid')
        control.removeAttribute('aria-describedby')
      }
    })
    return () => {
      for (const undo of undoing) undo()
    }
  }, [summary, key, isAnswer])
}

/** So that it can be seen, and take the focus. */
function unfold(control: Element): void {
  for (let fold = control.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) {
    fold.open = true
  }
}

/** To the field of a form that an error beside it names. */
export function goToField(summary: HTMLElement | null, field: string): void {
  const control = summary ? controlOf(summary, field) : undefined
  if (!control) return
  unfold(control)
  control.focus()
}

/** The nearest that is called so; a form names the last part of a path alone where that says enough. */
function controlOf(summary: HTMLElement, field: string): HTMLElement | undefined {
  const last = field.split(/[.[\]]+/).findLast((part) => part !== '' && !/^\d+$/.test(part))
  for (let around = summary.parentElement; around; around = around.parentElement) {
    const named = around.querySelectorAll<HTMLElement>('input[name],select[name],textarea[name]')
    const found = [...named].find((control) => {
      const name = control.getAttribute('name')
      return name === field || name === last
    })
    if (found) return found
  }
  return undefined
}
