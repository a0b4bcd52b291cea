export { sealedPreimages } from './store.ts'
