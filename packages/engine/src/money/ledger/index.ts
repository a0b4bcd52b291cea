export { inOrder, loadPostings, type PostingRow, stepOf } from './journals.ts'
