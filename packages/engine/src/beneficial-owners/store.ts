import type { BeneficialOwner } from '../customers/index.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { defineList } from '../db/list.ts'
import type { Book } from '../http/scope.ts'

const columns = `id, version, customer_id as "customerId", status, roles,
  ownership_percentage as "ownershipPercentage", personal_info as "personalInfo",
  identifier_sealed as "identifierSealed", created_at as "createdAt", updated_at as "updatedAt"`

const load = statement(
  'beneficialOwners.load',
  `select ${columns} from beneficial_owners where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadOwner(
  database: Database,
  book: Book,
  id: string,
): Promise<BeneficialOwner | undefined> {
  const [owner] = await database.read<BeneficialOwner>(book, load, [book.platformId, book.environment, id])
  return owner
}

export const ownerList = defineList<BeneficialOwner>()({
  name: 'beneficialOwners.list',
  table: 'beneficial_owners',
  columns,
  filters: { customerId: 'customer_id = ?' },
})
