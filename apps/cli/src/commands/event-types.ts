import { eventTypes, type WebhookEvent } from '@corridor/sdk'
import { misused } from '../exit.ts'

export type EventType = WebhookEvent['type']

/** The types that a list of patterns means: `OUTGOING_PAYMENT.*,TEST`. Fails where one of them means none. */
export function matchingTypes(text: string): EventType[] {
  const found = text.split(',').flatMap((part) => {
    const pattern = part.trim()
    const isMeant = matcher(pattern)
    const types = eventTypes.filter(isMeant)
    if (types.length === 0)
      throw misused(`No event type matches ${pattern}.`, `Use one of ${eventTypes.join(', ')}.`)
    return types
  })
  return [...new Set(found)]
}

/** `*` stands for any text; there is no other pattern. */
function matcher(pattern: string): (type: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return (type) => type === pattern
  return (type) => {
    if (!type.startsWith(first)) return false
    let at = first.length
    for (const [index, part] of rest.entries()) {
      const isLast = index === rest.length - 1
      const found = isLast ? Math.max(type.length - part.length, at) : type.indexOf(part, at)
      if (found < at || !type.startsWith(part, found)) return false
      at = found + part.length
    }
    return true
  }
}
