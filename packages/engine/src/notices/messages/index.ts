export { renderMessage } from './render.ts'
export { queueMessage } from './rules.ts'
export { listMessages, type Message, sealContent, sealedContents } from './store.ts'
