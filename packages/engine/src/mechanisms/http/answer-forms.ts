import type { FastifyRequest } from 'fastify'

/** What an answer is sent as. */
export interface AnswerForm {
  readonly type: 'application/json' | 'text/markdown'
  readonly text: string
}

/** Longer lists of types nobody needs. */
const longestAccept = 1_000

/**
 * A success as prose where its operation has some and whoever asks would rather have `text/markdown` than JSON; refusals, and
 * all else, as JSON.
 */
export function answerForm(request: FastifyRequest, status: number, body: string): AnswerForm {
  const asMarkdown = request.routeOptions?.config?.operation?.asMarkdown
  if (asMarkdown && status === 200 && prefersMarkdown(request.headers.accept)) {
    return { type: 'text/markdown', text: asMarkdown(JSON.parse(body)) }
  }
  return { type: 'application/json', text: body }
}

/** Whether `text/markdown` is named with a weight above nought, and above that of JSON where that is named too. */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > longestAccept) return false
  const weights = new Map(accept.split(',').map(weightOf))
  const markdown = weights.get('text/markdown') ?? 0
  const json = weights.get('application/json')
  return markdown > 0 && (json === undefined || markdown > json)
}

function weightOf(part: string): readonly [type: string, weight: number] {
  const [type = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
  const given = parameters.find((each) => each.startsWith('q='))
  const weight = given === undefined ? 1 : Number(given.slice(2))
  return [type, Number.isFinite(weight) ? weight : 0]
}
