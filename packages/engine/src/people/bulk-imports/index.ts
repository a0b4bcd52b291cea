export { sealedParts } from './file.ts'
export { bulkImportJobs } from './jobs.ts'
export { bulkImportRoutes } from './routes.ts'
