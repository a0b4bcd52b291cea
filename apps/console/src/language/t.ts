/// <reference types="vite/types/importMeta.d.ts" />
import { IntlMessageFormat } from 'intl-messageformat'
import { createElement, Fragment, type ReactNode } from 'react'
import { locale } from './locale.ts'

type Catalogue = Readonly<Record<string, string>>
type Values = Readonly<Record<string, string | number>>
type Parts = Readonly<Record<string, ReactNode | ((chunks: ReactNode) => ReactNode)>>

/** A translation is there before anything is said; English needs none. */
const catalogue: Catalogue = locale === 'en' ? {} : await translated()

async function translated(): Promise<Catalogue> {
  const files = import.meta.glob<Catalogue>(['./catalogues/*.json', '!./catalogues/en.json'], {
    import: 'default',
  })
  return (await files[`./catalogues/${locale}.json`]?.()) ?? {}
}

const made = new Map<string, IntlMessageFormat>()

function formatOf(message: string): IntlMessageFormat {
  let format = made.get(message)
  if (!format) {
    format = new IntlMessageFormat(catalogue[message] ?? message, locale)
    made.set(message, format)
  }
  return format
}

/**
 * What the console says: an ICU message in English, in the language of the reader. `t('{n, plural, one {One row} other {# rows}}',
 * { n })`. The message is written out where it is said, as the catalogues are made of these calls.
 */
export function t(message: string, values?: Values): string {
  if (!values && !message.includes("'")) return catalogue[message] ?? message
  return formatOf(message).format(values as Record<string, string | number>) as string
}

/** The same with elements in it: `rich('All until <at></at>', { at: () => <Moment … /> })`. */
export function rich(message: string, parts: Parts): ReactNode {
  const said = formatOf(message).format<ReactNode>(parts as never)
  return Array.isArray(said) ? createElement(Fragment, null, ...said) : (said as ReactNode)
}
