export { umaPages } from './pages.ts'
export { sealedPreimages } from './store.ts'
