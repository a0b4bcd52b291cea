export { assess, submit } from './commands.ts'
export { verificationRoutes } from './routes.ts'
