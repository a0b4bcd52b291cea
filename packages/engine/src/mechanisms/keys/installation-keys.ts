import type { Book, Environment } from '../../vocabulary/scope.ts'
import type { SealedColumn } from './sealing.ts'

/** Private keys of the installation; what stands there of the operator key is a hash. */
export const sealedInstallationKeys: SealedColumn = {
  table: 'installation_keys',
  column: 'sealed_part',
  row: 'id',
  where: "purpose <> 'operator'",
  isOfInstallation: true,
}

/** Stands for the platform where something belongs to none. */
export function ofInstallation(environment: Environment): Book {
  return { platformId: 'installation', environment }
}
