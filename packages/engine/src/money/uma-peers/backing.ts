import { assert, toTimestamp } from '@corridor/kernel'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { ofInstallation, sealedInstallationKeys } from '../../mechanisms/keys/installation-keys.ts'
import type { Counterparty } from './counterparties.ts'
import { identityFrom, newIdentityText, type UmaIdentity } from './own-keys.ts'
import { type SignatureParts, sign, signedText, wellKnown } from './wire.ts'

/**
 * This installation vouches for what the platforms say whose domains it hosts (webhooks-uma 6.4): the domain at which it is
 * reached itself signs the same text as theirs.
 */

/** One who vouches for a message. */
export interface BackingSignature {
  readonly domain: string
  readonly signature: string
}

const keyId = 'uma-1'
/** The pair belongs to no environment; its row names one, as all do. */
const book = ofInstallation('PRODUCTION')

const load = statement(
  'uma.loadServiceKeys',
  'select sealed_part as "sealed" from installation_keys where id = $1',
)
const make = statement(
  'uma.makeServiceKeys',
  `insert into installation_keys (id, purpose, environment, sealed_part, created_at)
   values ($1, 'uma', $2, $3, $4) on conflict do nothing`,
)

/**
 * The domain of the installation itself, and its keys, made when somebody first asks for them. Undefined where peers would
 * not find them: the address of the installation is none that a domain stands for. No platform can take the domain.
 */
export async function serviceIdentity({
  settings,
  database,
  keys,
  world,
}: Engine): Promise<UmaIdentity | undefined> {
  const { host } = new URL(settings.baseUrl)
  if (wellKnown(host, '') !== `${settings.baseUrl}/.well-known/`) return undefined
  const read = () =>
    database.system((connection) => connection.query<{ sealed: string | null }>(load, [keyId]))
  let [row] = await read()
  if (!row?.sealed) {
    const sealed = keys.seal(book, sealedInstallationKeys, keyId, newIdentityText(world))
    await database.system((connection) =>
      connection.query(make, [keyId, book.environment, sealed, toTimestamp(world.now())]),
    )
    // Of two that ask at once, the first pair is the one.
    ;[row] = await read()
  }
  assert(row?.sealed, 'The UMA keys of the installation were written but cannot be read back')
  return identityFrom(host, keys.open(book, sealedInstallationKeys, keyId, row.sealed))
}

/**
 * Who vouches for a message of a platform; nobody for one that speaks as the installation itself, or within it, where the
 * installation would vouch for itself to itself.
 */
export async function backingSignatures(
  engine: Engine,
  { isHosted }: Pick<Counterparty, 'isHosted'>,
  ownDomain: string,
  parts: readonly string[],
  signed: SignatureParts,
): Promise<{ readonly backingSignatures?: readonly BackingSignature[] }> {
  const service = isHosted ? undefined : await serviceIdentity(engine)
  if (!service || service.domain === ownDomain) return {}
  const { domain, signingKey } = service
  return { backingSignatures: [{ domain, signature: sign(signedText(parts, signed), signingKey) }] }
}
