/** Text that is HTML already. */
export interface Markup {
  readonly markup: string
}

export type Content = Markup | string | number | undefined | null | false | readonly Content[]

/** HTML in which every inserted text is escaped, unless it was made by `html` itself. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  const markup = parts.reduce((text, part, index) => text + toMarkup(contents[index - 1]) + part)
  return { markup }
}

function toMarkup(content: Content): string {
  if (content === undefined || content === null || content === false) return ''
  if (typeof content === 'object') {
    return 'markup' in content ? content.markup : content.map(toMarkup).join('')
  }
  return String(content).replace(/[&<>"']/g, (character) => entities[character]!)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
