export { decideByPlatform } from './commands.ts'
export { notAwaiting } from './rules.ts'
