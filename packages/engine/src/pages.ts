import type { Page } from './http/page.ts'
import { webhookPages } from './webhooks/index.ts'

/** Everything that is served beside the API, without credentials. */
export const pages: readonly Page[] = [...webhookPages]
