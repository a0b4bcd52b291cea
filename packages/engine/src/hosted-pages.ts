import { hostedVerificationPages } from './hosted-verification/index.ts'
import type { HostedPage } from './http/hosted-page.ts'

/** Every page for people who have no credentials, only a link. */
export const hostedPages: readonly HostedPage[] = [...hostedVerificationPages]
