export { directoryRoutes } from './routes.ts'
export { vaspNames } from './vasps.ts'
