import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { misused } from './exit.ts'
import type { Terminal } from './terminal.ts'

/** Which installation is meant, and as whom. */
export interface Profile {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Where it was found, for messages. */
  readonly source: string
}

type Settings = Readonly<Record<string, string>>

const known = new Set(['base_url', 'client_id', 'client_secret', 'operator_key', 'platform', 'credentials'])

interface Asked {
  readonly baseUrl?: string | undefined
  readonly profile?: string | undefined
}

/**
 * The flag, the environment, the project (`.corridor.toml`), what runs in its folder (what `corridor dev` left in `.corridor`, then a
 * server in `data`), the user (`~/.config/corridor/config.toml`), in that order. Secrets are never flags.
 */
export function readProfile(terminal: Terminal, flags: Asked): Profile {
  const { environment } = terminal
  const { name, found, sourceOf } = settingsOf(terminal, flags)
  const { baseUrl, clientId, clientSecret } = found
  if (!baseUrl || !clientId || !clientSecret) {
    throw misused(
      'No installation is configured.',
      'Set CORRIDOR_BASE_URL, CORRIDOR_CLIENT_ID and CORRIDOR_CLIENT_SECRET, or run corridor dev.',
    )
  }
  requireOwnSecret(baseUrl, sourceOf('baseUrl'), sourceOf('clientSecret'), 'client secret')
  return { baseUrl, clientId, clientSecret, source: environment.CORRIDOR_CLIENT_ID ? 'environment' : name }
}

/** Where operators ask, which is outside of the versions, and with which key. It comes from the same places, and is never a flag. */
export function readOperatorProfile(
  terminal: Terminal,
  flags: Asked,
): { readonly baseUrl: string; readonly key: string } {
  const { found, sourceOf } = settingsOf(terminal, flags)
  const { baseUrl, operatorKey: key } = found
  if (!baseUrl || !key) {
    throw misused(
      'No installation or no operator key is configured.',
      'Set CORRIDOR_BASE_URL and CORRIDOR_OPERATOR_KEY, or base_url and operator_key in .corridor.toml.',
    )
  }
  requireOwnSecret(baseUrl, sourceOf('baseUrl'), sourceOf('operatorKey'), 'operator key')
  return { baseUrl: baseUrl.replace(/\/\d{4}-\d{2}-\d{2}\/?$/, ''), key }
}

/** Where a setting comes from: the project's file, what runs in its folder, or what only the user can set. */
type Source = 'file' | 'folder' | 'user'

/**
 * Throws if a secret would go to an address from another source. The current folder may come from another person, so its address
 * receives only secrets from the same folder. A `.corridor.toml` may come with a repository, so its address also receives no secret
 * that a local server left in the folder.
 */
function requireOwnSecret(baseUrl: string, address: Source, secret: Source, what: string): void {
  if (address === 'user' || isLoopback(baseUrl)) return
  if (secret === 'file' || secret === address) return
  throw misused(
    `The base URL ${baseUrl} comes from ${secret === 'folder' ? '.corridor.toml' : 'this folder'}, but the ${what} does not.`,
    `If the ${what} belongs to this URL, set CORRIDOR_BASE_URL or pass --base-url.`,
  )
}

function isLoopback(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname)
}

function settingsOf(
  terminal: Terminal,
  flags: Asked,
): {
  readonly name: string
  readonly found: Readonly<Record<string, string | undefined>>
  readonly sourceOf: (setting: string) => Source
} {
  const { environment, directory } = terminal
  const name = flags.profile ?? environment.CORRIDOR_PROFILE ?? 'default'
  const project = readSettings(join(directory, '.corridor.toml'), name)
  const user = readSettings(userConfig(environment), name)
  const platform = project.platform ?? user.platform
  const layer = (settings: Settings) => ({
    ...(settings.credentials ? credentialsOf(directory, settings.credentials, platform) : {}),
    ...pick(settings),
  })
  const ofFolder = existsSync(join(directory, '.corridor/env'))
    ? leftByDev(directory)
    : leftByServer(directory, platform)
  const ofFile = layer(project)
  const set = {
    ...given({
      baseUrl: environment.CORRIDOR_BASE_URL,
      clientId: environment.CORRIDOR_CLIENT_ID,
      clientSecret: environment.CORRIDOR_CLIENT_SECRET,
      operatorKey: environment.CORRIDOR_OPERATOR_KEY,
    }),
    ...given({ baseUrl: flags.baseUrl }),
  }
  const sourceOf = (setting: string): Source => {
    if (setting in set) return 'user'
    if (setting in ofFile) return 'file'
    return setting in ofFolder ? 'folder' : 'user'
  }
  return { name, found: { ...layer(user), ...ofFolder, ...ofFile, ...set }, sourceOf }
}

/** Undefined without a home folder: the current folder must not stand in for it. */
function userConfig({ XDG_CONFIG_HOME, HOME }: Terminal['environment']): string | undefined {
  const folder = XDG_CONFIG_HOME ?? (HOME === undefined ? undefined : join(HOME, '.config'))
  return folder === undefined ? undefined : join(folder, 'corridor/config.toml')
}

function given(values: Readonly<Record<string, string | undefined>>): Settings {
  return Object.fromEntries(
    Object.entries(values).filter((each): each is [string, string] => Boolean(each[1])),
  )
}

function pick(settings: Settings): Settings {
  return given({
    baseUrl: settings.base_url,
    clientId: settings.client_id,
    clientSecret: settings.client_secret,
    operatorKey: settings.operator_key,
  })
}

/** `name = "value"` lines of a section, and those before any section. Nothing else of TOML is needed. */
function readSettings(path: string | undefined, section: string): Settings {
  if (path === undefined || !existsSync(path)) return {}
  const settings: Record<string, string> = {}
  let isMeant = true
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const heading = /^\[([\w.-]+)\]$/.exec(text)
    if (heading) {
      isMeant = heading[1] === section
      continue
    }
    const [, name, value] = /^(\w+) *= *"([^"]*)"$/.exec(text) ?? []
    if (name === undefined || !known.has(name)) {
      throw misused(
        `Line ${index + 1} of ${path} is invalid.`,
        `Each line sets one of ${[...known].join(', ')} to a value in double quotes.`,
      )
    }
    if (isMeant) settings[name] = value!
  }
  if ((settings.client_secret || settings.operator_key) && (statSync(path).mode & 0o077) !== 0) {
    throw misused(`${path} contains a secret, and other users can read the file.`, `chmod 600 ${path}`)
  }
  return settings
}

/** Of `.corridor/env`: the address and the first platform of the Corridor that runs here. */
function leftByDev(directory: string): Settings {
  const path = join(directory, '.corridor/env')
  const lines = new Map(
    [...readFileSync(path, 'utf8').matchAll(/^export (\w+)=(\S*)$/gm)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )
  return given({
    baseUrl: lines.get('CORRIDOR_BASE_URL'),
    clientId: lines.get('CORRIDOR_CLIENT_ID'),
    clientSecret: lines.get('CORRIDOR_CLIENT_SECRET'),
  })
}

/** Of `data/credentials.json`, as `npm start` leaves it: another file of that name is somebody else's. */
function leftByServer(directory: string, platform: string | undefined): Settings {
  const path = join(directory, 'data/credentials.json')
  if (!existsSync(path)) return {}
  const read = credentialsIn(path)
  return read ? settingsOfPlatform(path, read, platform) : {}
}

export interface CredentialsFile {
  readonly baseUrl: string
  readonly platforms: readonly { name: string; clientId: string; clientSecret: string }[]
}

/** As the first start of a server left it. */
export function readCredentials(path: string): CredentialsFile {
  const read = credentialsIn(path)
  if (!read) {
    throw misused(
      `${path} does not contain the credentials from the first startup of a server.`,
      'The credentials are stored only in this file. Restore the file, or use another folder.',
    )
  }
  return read
}

/** Undefined where the file holds something else. */
function credentialsIn(path: string): CredentialsFile | undefined {
  let read: Partial<CredentialsFile> | null
  try {
    read = JSON.parse(readFileSync(path, 'utf8')) as Partial<CredentialsFile> | null
  } catch {
    return undefined
  }
  const platforms = Array.isArray(read?.platforms) ? read.platforms : []
  const isWhole = platforms.every((each) => {
    const { clientId, clientSecret } = (each ?? {}) as Partial<(typeof platforms)[number]>
    return typeof clientId === 'string' && typeof clientSecret === 'string'
  })
  if (!isWhole || platforms.length === 0) return undefined
  if (typeof read?.baseUrl !== 'string' || !URL.canParse(read.baseUrl)) return undefined
  return { baseUrl: read.baseUrl, platforms }
}

function credentialsOf(directory: string, named: string, platform: string | undefined): Settings {
  const path = join(directory, named)
  if (!existsSync(path)) throw misused(`No credentials found at ${path}.`)
  // Otherwise the folder could combine the secret of another installation with an address of its own.
  if (!realpathSync(path).startsWith(`${realpathSync(directory)}${sep}`)) {
    throw misused(
      `The credentials file ${named} is outside of this folder.`,
      'Run the command in the folder that contains the file, or set CORRIDOR_BASE_URL, CORRIDOR_CLIENT_ID and CORRIDOR_CLIENT_SECRET.',
    )
  }
  return settingsOfPlatform(path, readCredentials(path), platform)
}

function settingsOfPlatform(
  path: string,
  { baseUrl, platforms }: CredentialsFile,
  name: string | undefined,
): Settings {
  const platform = name ? platforms.find((each) => each.name === name) : platforms[0]
  if (!platform) throw misused(`${path} contains no platform ${name}.`)
  return { baseUrl, clientId: platform.clientId, clientSecret: platform.clientSecret }
}
