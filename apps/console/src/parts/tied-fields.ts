import { type RefObject, useEffect } from 'react'

interface WrongField {
  /** Where it is in the request, as `match.operationId`. */
  readonly field?: string
  /** The id of the element that says what is wrong with it. */
  readonly saidBy: string
}

/**
 * Ties what is wrong to the fields of the form beside it, by their `name`, and gives the summary the focus, so that who cannot
 * see it hears it. A fold with one of them in it is opened, and that field has the focus, with what is wrong as its description:
 * nobody looks for it. It is undone when the summary goes.
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
    let hidden: HTMLElement | undefined
    const undoing = (JSON.parse(key) as WrongField[]).map(({ field, saidBy }) => {
      const control = field === undefined ? undefined : controlOf(summary.current!, field)
      if (!control) return () => {}
      if (unfold(control)) hidden ??= control
      control.setAttribute('aria-invalid', 'true')
      control.setAttribute('aria-describedby', saidBy)
      return () => {
        control.removeAttribute('aria-invalid')
        control.removeAttribute('aria-describedby')
      }
    })
    hidden?.focus()
    return () => {
      for (const undo of undoing) undo()
    }
  }, [summary, key, isAnswer])
}

/** So that it can be seen. Answers whether it is in a fold, which may be open by now: a summary that is drawn anew asks again. */
function unfold(control: Element): boolean {
  let isFolded = false
  for (let fold = control.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) {
    fold.setAttribute('open', '')
    isFolded = true
  }
  return isFolded
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
