import { type Session, useSession } from '../app/session.tsx'

/** A command as it is typed for the world that is looked at; one for the main world, and one that is empty, stays as it is. */
export function commandIn(session: Session | undefined, line: string): string {
  if (session?.world === undefined || line === '') return line
  return `${line} --base-url ${session.apiAddress}`
}

/** How code and commands reach the world that is looked at. The main one is what they reach by themselves. */
export function useInWorld() {
  const session = useSession()
  const { corridor, world, apiAddress } = session
  // From the environment comes what the call itself does not say, as the guides have it.
  const [argument, address] =
    world === undefined ? ['', 'CORRIDOR_BASE_URL'] : [`{ baseUrl: '${apiAddress}' }`]
  const variables = [address, 'CORRIDOR_CLIENT_ID', 'CORRIDOR_CLIENT_SECRET'].filter(Boolean).join(', ')
  const client = `const corridor = new Corridor(${argument}) // ${variables}`
  return {
    /** Of a request, as the SDK writes it for the console. */
    curl: (command: string) => command.replace(corridor.baseUrl, apiAddress),
    /** With all that it takes to run. */
    sdk: (code: string) =>
      code === '' ? '' : `import { Corridor } from '@corridor/sdk'\n\n${client}\n${code}`,
    cli: (line: string) => commandIn(session, line),
  }
}
