import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import type { IssuerAccess, IssuerCredentials, IssuerInstruction } from '../../ports/stablecoin-issuer.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { Coin, CoinOperation, ProviderAccount } from './store.ts'

/** What the provider is told, and the credentials it is told with. */

export const sealedCredentials: SealedColumn = {
  table: 'stablecoin_provider_accounts',
  column: 'credentials',
  row: 'id',
}

export function sealCredentials(
  { keys }: Pick<Engine, 'keys'>,
  book: Book,
  id: string,
  { apiClientId, apiClientSecret }: IssuerCredentials,
): string {
  return keys.seal(book, sealedCredentials, id, JSON.stringify([apiClientId, apiClientSecret]))
}

export function accessOf(
  { keys }: Pick<Engine, 'keys'>,
  book: Book,
  { id, credentialsSealed, providerAccountId }: ProviderAccount,
): IssuerAccess {
  const [apiClientId, apiClientSecret] = JSON.parse(
    keys.open(book, sealedCredentials, id, credentialsSealed),
  ) as [string, string]
  return { apiClientId, apiClientSecret, providerAccountId }
}

export function instructionOf(token: Coin, operation: CoinOperation): IssuerInstruction {
  return {
    operationId: operation.id,
    operationType: operation.operationType,
    token,
    amountMinor: operation.amountMinor,
    source: operation.source.type,
    rail: operation.destination.rail,
    description: operation.description ?? undefined,
    submittedAt: operation.createdAt,
    startedAt: operation.startedAt ?? undefined,
  }
}
