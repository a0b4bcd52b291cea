import type { RailClient } from '@corridor/engine/ports/rail.ts'

/** Every rail with a real client. Adding a rail is one folder beside this file and one line here. */
export const railClients: readonly { readonly id: string; readonly client: RailClient }[] = []
