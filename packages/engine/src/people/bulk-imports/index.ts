export { sealedParts } from './file.ts'
