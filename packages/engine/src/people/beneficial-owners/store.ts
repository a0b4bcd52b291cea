import { statement } from '../../mechanisms/db/driver.ts'
import { sealedKeyOf } from '../../mechanisms/keys/data-keys.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import type { PageRequest } from '../../mechanisms/lists/pages.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { type BeneficialOwner, type OwnerRow, openOwner, type Vault } from '../customers/index.ts'

const columns = `id, version, customer_id as "customerId", status, roles,
  ownership_percentage as "ownershipPercentage", personal as "personalSealed",
  ${sealedKeyOf('beneficial_owners', 'customer_id')} as "sealedKey",
  created_at as "createdAt", updated_at as "updatedAt"`

type StoredOwner = OwnerRow & { readonly sealedKey: string | null }

function open({ keys }: Vault, book: Book, { sealedKey, ...row }: StoredOwner): BeneficialOwner[] {
  const key = sealedKey === null ? null : keys.dataKey(book, row.customerId, sealedKey)
  const owner = openOwner(key, row)
  return owner ? [owner] : []
}

const load = statement(
  'beneficialOwners.load',
  `select ${columns} from beneficial_owners where platform_id = $1 and environment = $2 and id = $3`,
)

/** An owner, unless its business was erased. */
export async function loadOwner(vault: Vault, book: Book, id: string): Promise<BeneficialOwner | undefined> {
  const rows = await vault.database.read<StoredOwner>(book, load, [book.platformId, book.environment, id])
  return rows.flatMap((row) => open(vault, book, row))[0]
}

const list = defineList<StoredOwner>()({
  name: 'beneficialOwners.list',
  table: 'beneficial_owners',
  columns,
  where: 'personal is not null',
  filters: { customerId: equals('customer_id') },
  always: ['customerId'],
})

export async function listOwners(
  vault: Vault,
  book: Book,
  filters: Parameters<typeof list.read>[2],
  page: PageRequest,
): Promise<{ rows: BeneficialOwner[]; totalCount: number }> {
  const { rows, totalCount } = await list.read(vault.database, book, filters, page)
  return { rows: rows.flatMap((row) => open(vault, book, row)), totalCount }
}
