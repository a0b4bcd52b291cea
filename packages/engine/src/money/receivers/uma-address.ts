import { lowerAscii } from '@corridor/kernel'
import { isHostName } from '../../platform/platforms/index.ts'
import type { UmaName } from '../../ports/uma.ts'

const form = /^\$([a-z0-9._+-]{1,64})@([^:]+)(:[1-9][0-9]{0,4})?$/

/**
 * The address of a receiver, taken apart and in lower case, or undefined when it is none (accounts 5.1).
 * Ports belong to institutions on a developer's machine (cards 5.1).
 */
export function parseReceiverAddress(
  address: string,
  { allowsPorts }: { readonly allowsPorts: boolean },
): UmaName | undefined {
  const match = form.exec(lowerAscii(address))
  if (!match) return undefined
  const [, user = '', host = '', port = ''] = match
  if (port !== '' && !allowsPorts) return undefined
  const isKnownForm = isHostName(host) || (port !== '' && host === 'localhost')
  return isKnownForm ? { user, domain: host + port } : undefined
}
