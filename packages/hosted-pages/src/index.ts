import type { HostedPage } from '@corridor/engine/mechanisms/feature/bound.ts'
import { cardPages } from './card-page.ts'
import { verificationPages } from './verification/pages.ts'

/** Every page that people look at. `apps/server/src/wiring.ts` serves them beside the API. */
export const pagesForPeople: readonly HostedPage[] = [...verificationPages, ...cardPages]
