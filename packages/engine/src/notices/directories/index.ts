export { vaspNames } from './vasps.ts'
