export { renderMessage } from './render.ts'
export { queueMessage } from './rules.ts'
export { listMessages, sealContent, sealedContents } from './store.ts'
