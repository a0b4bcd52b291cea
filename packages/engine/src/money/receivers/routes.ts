import { route } from '../../mechanisms/feature/bound.ts'
import { lookUpExternalAccount, lookUpUma } from './commands.ts'
import { lookupExternalAccount, lookupUma } from './contract.ts'

export const receiverRoutes = [
  route(lookupUma, lookUpUma),
  route(lookupExternalAccount, lookUpExternalAccount),
]
