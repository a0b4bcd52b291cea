import { sealedDelegatedSecrets } from '../access/delegated-keys/index.ts'
import { sealedProposals } from '../access/operators/index.ts'
import { sealedFactors } from '../access/sca/index.ts'
import { sealedAnswers } from '../mechanisms/http/idempotency.ts'
import { sealedDataKeys } from '../mechanisms/keys/data-keys.ts'
import { sealedInstallationKeys } from '../mechanisms/keys/installation-keys.ts'
import type { SealedColumn } from '../mechanisms/keys/sealing.ts'
import { sealedSigningKeys } from '../mechanisms/keys/webhook-keys.ts'
import { sealedWebhookAnswers } from '../mechanisms/outbox/kept-answers.ts'
import { sealedBodies } from '../mechanisms/outbox/sealed-bodies.ts'
import { sealedChallenges } from '../mechanisms/signed-requests/index.ts'
import { sealedDetails as sealedAccountDetails } from '../money/external-accounts/index.ts'
import { sealedLiftReasons, sealedPauseReasons } from '../money/pauses/index.ts'
import { sealedTransactionWords } from '../money/payments/index.ts'
import { sealedQuoteWords } from '../money/quotes/index.ts'
import { sealedCredentials } from '../money/stablecoins/index.ts'
import { sealedUmaKeys } from '../money/uma-peers/index.ts'
import { sealedPreimages } from '../money/uma-provider/index.ts'
import { sealedPayeeInformation } from '../money/uma-receipts/index.ts'
import { sealedContents } from '../notices/messages/index.ts'
import { sealedParts } from '../people/bulk-imports/index.ts'
import { sealedConsents, sealedIdentifiers, sealedOwners, sealedPersonal } from '../people/customers/index.ts'
import { sealedDetails as sealedDocumentDetails } from '../people/documents/index.ts'
import { sealedNotes } from '../people/verifications/index.ts'
import {
  sealedAuthContents,
  sealedMnemonics,
  sealedOtpTargets,
} from '../platform/wallet-credentials/index.ts'

/** Every column with sealed texts. The rotation of the master key goes through them; a test finds one left out. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedInstallationKeys,
  sealedSigningKeys,
  sealedDataKeys,
  sealedAnswers,
  sealedBodies,
  sealedWebhookAnswers,
  sealedParts,
  sealedPersonal,
  sealedIdentifiers,
  sealedConsents,
  sealedOwners,
  sealedDocumentDetails,
  sealedNotes,
  sealedAccountDetails,
  sealedQuoteWords,
  sealedTransactionWords,
  sealedChallenges,
  sealedAuthContents,
  sealedOtpTargets,
  sealedMnemonics,
  sealedDelegatedSecrets,
  sealedFactors,
  sealedContents,
  sealedCredentials,
  sealedUmaKeys,
  sealedPreimages,
  sealedPayeeInformation,
  sealedProposals,
  sealedPauseReasons,
  sealedLiftReasons,
]
