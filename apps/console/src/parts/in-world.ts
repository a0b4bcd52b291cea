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
  const variables = 'CORRIDOR_CLIENT_ID, CORRIDOR_CLIENT_SECRET'
  const client =
    world === undefined
      ? `const corridor = new Corridor() // CORRIDOR_BASE_URL, ${variables}`
      : `const corridor = new Corridor({ baseUrl: '${apiAddress}' }) // ${variables}`
  return {
    /** Of a request, as the SDK writes it for the console. */
    curl: (command: string) => command.replace(corridor.baseUrl, apiAddress),
    /** With all that it takes to run. */
    sdk: (code: string) =>
      code === '' ? '' : `import { Corridor } from '@corridor/sdk'\n\n${client}\n${code}`,
    cli: (line: string) => commandIn(session, line),
  }
}
