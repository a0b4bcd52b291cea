/** What of the package is used here; it brings no declarations along. */
declare module 'js-yaml' {
  export interface Schema {
    readonly name?: string
  }
  /** Text, numbers, booleans and null as YAML 1.2 has them; no dates. */
  export const CORE_SCHEMA: Schema
  export interface LoaderState {
    readonly line: number
    readonly anchorMap: Readonly<Record<string, unknown>>
    readonly result: unknown
  }
  export function load(
    text: string,
    options: { schema: Schema; listener?: (event: 'open' | 'close', state: LoaderState) => void },
  ): unknown
  export function dump(
    value: unknown,
    options: { schema: Schema; noRefs: boolean; lineWidth: number },
  ): string
  export class YAMLException extends Error {
    readonly reason: string
    readonly mark?: { readonly line: number; readonly column: number }
  }
}
