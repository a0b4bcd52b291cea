export { cardFundingSources } from './funding-sources.ts'
export { bindAccounts } from './rules.ts'
export { type CardFundingSource, loadFundingSource, loadFundingSources } from './store.ts'
