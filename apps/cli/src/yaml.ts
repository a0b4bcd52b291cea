// @ts-expect-error: it brings no declarations along; what is used of it is declared here
import * as untyped from 'js-yaml'

/** The reader and writer of YAML. */

interface Schema {
  readonly name?: string
}

interface LoaderState {
  /** Counted from 0. */
  readonly line: number
  /** What has been given a name, by name. */
  readonly anchorMap: Readonly<Record<string, unknown>>
  readonly result: unknown
}

interface Yaml {
  /** Text, numbers, booleans and null as YAML 1.2 has them; no dates. */
  readonly CORE_SCHEMA: Schema
  load(
    text: string,
    options: { schema: Schema; listener?: (event: 'open' | 'close', state: LoaderState) => void },
  ): unknown
  dump(value: unknown, options: { schema: Schema; noRefs: boolean; lineWidth: number }): string
  readonly YAMLException: new () => Error & {
    readonly reason: string
    readonly mark?: { readonly line: number }
  }
}

export const { CORE_SCHEMA, YAMLException, dump, load } = untyped as Yaml
