/** Where faults matter most, and the tests that must find them: rules first, as they end a run soonest. */
interface Area {
  readonly files: readonly string[]
  readonly tests: readonly string[]
}

const engine = 'packages/engine/src'

export const areas: Readonly<Record<string, Area>> = {
  money: {
    files: [
      `${engine}/money/payments/postings.ts`,
      `${engine}/money/payments/clawbacks.ts`,
      `${engine}/money/cards/lifecycle.ts`,
      'packages/kernel/src/money.ts',
    ],
    tests: [
      'packages/kernel/src',
      `${engine}/money/payments`,
      `${engine}/money/cards`,
      'tests/e2e/card-transactions.test.ts',
    ],
  },
  fees: {
    files: [`${engine}/money/quotes/pricing.ts`, `${engine}/money/quotes/fee-schedule.ts`],
    tests: [`${engine}/money/quotes`, 'tests/e2e/platform-fees.test.ts', 'tests/e2e/quote-pricing.test.ts'],
  },
  signatures: {
    files: [
      `${engine}/mechanisms/signed-requests/rules.ts`,
      `${engine}/mechanisms/signed-requests/payload.ts`,
    ],
    tests: [
      `${engine}/mechanisms/signed-requests`,
      'tests/e2e/wallet-signatures.test.ts',
      'tests/e2e/agent-signatures.test.ts',
    ],
  },
  tenancy: {
    files: [`${engine}/mechanisms/db/claims.ts`],
    tests: [`${engine}/mechanisms/db/claims.test.ts`, 'tests/security/tenancy.test.ts'],
  },
  idempotency: {
    files: [`${engine}/mechanisms/http/idempotency.ts`],
    tests: [
      `${engine}/mechanisms/http/idempotency.test.ts`,
      'tests/e2e/idempotency.test.ts',
      'tests/inside/idempotency-race.test.ts',
    ],
  },
  webhooks: {
    files: [
      `${engine}/mechanisms/outbox/delivery-policy.ts`,
      `${engine}/mechanisms/outbox/attempt.ts`,
      'packages/sdk/src/webhooks.ts',
    ],
    tests: [`${engine}/mechanisms/outbox`, 'packages/sdk/src/webhooks.test.ts', 'tests/e2e/webhooks.test.ts'],
  },
  sca: {
    files: [
      `${engine}/access/sca/attempts.ts`,
      `${engine}/access/sca/proofs.ts`,
      `${engine}/access/sca/state.ts`,
    ],
    tests: [
      'tests/e2e/sca-login.test.ts',
      'tests/e2e/sca-payments.test.ts',
      'tests/inside/sca-proofs.test.ts',
    ],
  },
}
