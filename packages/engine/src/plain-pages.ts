import { customerPlainPages } from './customers/index.ts'
import type { PlainPage } from './http/plain-page.ts'
import { webhookPlainPages } from './webhooks/index.ts'

/** Everything that is served beside the API, without credentials. */
export const plainPages: readonly PlainPage[] = [...webhookPlainPages, ...customerPlainPages]
