export { checkUpload } from './checks.ts'
export { deleteDocument, readFile, requireDocument, uploadDocument } from './commands.ts'
export { uploadDocument as uploadOperation } from './contract.ts'
export { maxFileBytes } from './file-type.ts'
export { markSubmitted, renderDocument } from './rules.ts'
export {
  type Document,
  type DocumentDetails,
  loadDocumentsOf,
  loadFileRemovals,
  sealedDetails,
} from './store.ts'
