export type { EventWaiting, ReceivedEvents } from './event-receiver.ts'
export type { ServerSettings, StartedPlatform } from './server-process.ts'
export {
  type MessageWaiting,
  type RunningCorridor,
  type StartOptions,
  startCorridor,
} from './start-corridor.ts'
