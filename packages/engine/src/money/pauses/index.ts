export { sealedPauseReasons } from './store.ts'
