import type { Config } from '../../apps/server/src/config.ts'
import { formsOf } from '../../apps/server/src/wiring.ts'

let forms: ReturnType<typeof formsOf> | undefined

/** Schemas compiled once for all installations of a worker that serve the API: it is most of what a start costs. */
export function sharedForms(config: Config): ReturnType<typeof formsOf> {
  forms ??= formsOf(config)
  return forms
}
