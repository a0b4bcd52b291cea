import type { Id } from '@corridor/kernel'
import { describe, expect, it } from 'vitest'
import type { InternalAccount } from '../../platform/internal-accounts/index.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { Receivable } from '../payments/index.ts'
import { decideCollect } from './rules.ts'

const scope: Scope = {
  platformId: '019542f5-b3e7-1d02-0000-000000000001',
  environment: 'SANDBOX',
  actor: { id: 'token', permissions: ['TRANSACT'] },
  now: 1_000,
}
const ownerId = 'Customer:019542f5-b3e7-1d02-0000-000000000002'
const receivable: Receivable = {
  id: 'Receivable:019542f5-b3e7-1d02-0000-000000000003' as Id<'Receivable'>,
  version: 1n,
  ownerId,
  currency: 'USDB',
  status: 'OPEN',
  cause: 'COLLECTION_RETURNED',
  transactionId: 'Transaction:019542f5-b3e7-1d02-0000-000000000004' as Id<'Transaction'>,
  counterAccountId: null,
  amountMinor: 500n,
  remainingMinor: 500n,
  writtenOffMinor: 0n,
  createdAt: 1,
  updatedAt: 1,
  settledAt: null,
}
const collectFrom = (account: Pick<InternalAccount, 'type' | 'status' | 'availableMinor'>) =>
  decideCollect(scope, receivable, {
    account: {
      id: 'InternalAccount:019542f5-b3e7-1d02-0000-000000000005',
      version: 1n,
      ownerId,
      currency: 'USDB',
      ...account,
    } as unknown as InternalAccount,
    platformCustomerId: 'c-1',
    recordId: 'Transaction:019542f5-b3e7-1d02-0000-000000000006' as Id<'Transaction'>,
    reference: 'REF-1',
  })

describe('a collection', () => {
  it.each([
    ['INTERNAL_CRYPTO', undefined],
    ['INTERNAL_FIAT', undefined],
    ['EMBEDDED_WALLET', 'HOLDER_MUST_SIGN'],
  ] as const)('from an account of type %s: %s', (type, reason) => {
    const decided = collectFrom({ type, status: 'ACTIVE', availableMinor: 900n })
    if (reason)
      expect(decided).toMatchObject({ ok: false, failure: { code: 'CONFLICT', details: { reason } } })
    else expect(decided).toMatchObject({ ok: true, value: { transfers: [{ amountMinor: 500n }] } })
  })
})
