export { sealedLiftReasons, sealedPauseReasons } from './store.ts'
