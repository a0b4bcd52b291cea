export { createOperator } from './accounts.ts'
export { withSecondPerson } from './proposals.ts'
export { sealedProposals } from './store.ts'
