import { type Connection, type OpenSession, statement } from './driver.ts'

/**
 * Whose rows a session sees: those of the claim that it wears, a token nobody can guess. The server makes claims for
 * who knows the key of the session, which it says once, before any other statement is run: what a later statement
 * says about itself is worth nothing (migration 0037, ADR 21). The role decides which policies count.
 */
export type Role = 'corridor_app' | 'corridor_bound' | 'corridor_system' | typeof login
/** No role but what one logged in as: for migrations, which change what only the owner of the tables may. */
const login = 'none'

/** What a session may see. No customer: all of them. */
export interface View {
  readonly platformId: string
  readonly environment: string
  readonly customerId?: string | undefined
}
const allBooks: View = { platformId: '00000000-0000-0000-0000-000000000000', environment: 'SYSTEM' }

const open = statement(
  'claims.open',
  "select corridor_open() as key, quote_ident(current_schema()) || ', pg_temp' as path",
)
const make = statement('claims.make', 'select corridor_make_claim($1, $2, $3, $4, $5) as claim')
/** Whatever a statement of before left there. */
const lookHere = statement('claims.lookHere', "select pg_catalog.set_config('search_path', $1, false)")
/** As parameters, because the text of a statement is shown to more people than its values. */
const wear = statement(
  'claims.wear',
  `select pg_catalog.set_config('role', $1, false), pg_catalog.set_config('corridor.claim', $2, false),
     pg_catalog.set_config('search_path', $3, false)`,
)
const findOpen = statement('claims.findOpen', 'select to_regproc(\'corridor_open\') is not null as "isThere"')

/** Beyond that a session starts anew, so that what it remembers is bounded. */
const maxClaims = 2_000

/** Gives the session a role and the claim to a view, unless it has both. */
export async function enter(connection: Connection, role: Role, view: View): Promise<void> {
  const { session } = connection
  const { platformId, environment, customerId = '' } = view
  const worn = `${role} ${platformId} ${environment} ${customerId}`
  if (session.worn === worn) return
  session.opened ??= await opened(connection)
  const { key, path, claims } = session.opened
  let claim = claims.get(worn)
  if (claim === undefined) {
    const isFull = claims.size >= maxClaims
    if (isFull) claims.clear()
    const parameters = [key, platformId, environment, customerId, isFull]
    // Whatever the role of before was, it may make claims with the key.
    await connection.query(lookHere, [path])
    const [row] = await connection.query<{ claim: string }>(make, parameters)
    claim = row!.claim
    claims.set(worn, claim)
  }
  await connection.query(wear, [role, claim, path])
  session.worn = worn
}

async function opened(connection: Connection): Promise<OpenSession> {
  const [row] = await connection.query<{ key: string; path: string }>(open)
  return { ...row!, claims: new Map() }
}

/** Lets the session see the rows of all books. */
export function enterAllBooks(connection: Connection): Promise<void> {
  return enter(connection, 'corridor_system', allBooks)
}

/** The same with the rights of the login. Before the schema knew of claims there was nothing to enter. */
export async function enterAsLogin(connection: Connection): Promise<void> {
  if (!connection.session.opened) {
    const [found] = await connection.query<{ isThere: boolean }>(findOpen)
    if (!found!.isThere) return
  }
  await enter(connection, login, allBooks)
}

/** For what needs no rows and the rights of the login. */
export async function resetRole(connection: Connection): Promise<void> {
  connection.session.worn = ''
  await connection.script('reset role')
}
