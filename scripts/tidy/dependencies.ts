import type { Finding, Rule } from './rules.ts'
import type { SourceFile } from './source.ts'

/**
 * The dependency rule of ARCHITECTURE.md as tables: which part of the repository a file belongs to, and what
 * each part may import. Types count like everything else. Tests and the testkit may import anything.
 */

/**
 * The rooms of the engine, from the ground up: a file imports from its own room and from those below it. A
 * feature that needs one above it belongs higher up, or takes what it needs as a parameter.
 */
export const rooms = [
  'vocabulary',
  'reference',
  'ports',
  'mechanisms',
  'notices',
  'platform',
  'people',
  'access',
  'money',
  'assembly',
] as const
type Room = (typeof rooms)[number]

/** Their folders are features, which show each other their `index.ts` alone. */
const roomsOfFeatures: ReadonlySet<Room> = new Set(['notices', 'platform', 'people', 'access', 'money'])

type Zone = 'kernel' | 'engine' | 'adapter' | 'pages' | 'client' | 'server' | 'wiring'

export function zoneOf(path: string): Zone | undefined {
  if (path.startsWith('packages/kernel/')) return 'kernel'
  if (path.startsWith('packages/engine/src/')) return 'engine'
  if (path.startsWith('packages/adapters/')) return 'adapter'
  if (path.startsWith('packages/hosted-pages/')) return 'pages'
  if (/^(packages\/sdk|apps\/(console|cli))\//.test(path)) return 'client'
  if (path === 'apps/server/src/wiring.ts') return 'wiring'
  return path.startsWith('apps/server/') ? 'server' : undefined
}

const allowed: Readonly<Record<Zone, { readonly zones: readonly Zone[]; readonly advice: string }>> = {
  kernel: { zones: ['kernel'], advice: 'the kernel imports nothing: take what you need as a parameter' },
  engine: {
    zones: ['kernel', 'engine'],
    advice:
      'the engine reaches the outside world through engine.adapters, declared in ports/; wiring.ts passes them in',
  },
  adapter: {
    zones: ['kernel', 'adapter'],
    advice: 'an adapter implements ports/ and reads the tables of reference/ through their index.ts',
  },
  pages: {
    zones: ['kernel', 'engine', 'pages'],
    advice: 'pages for people show what the engine offers them',
  },
  client: { zones: ['client'], advice: 'clients know the published document alone: use @corridor/sdk' },
  server: {
    zones: ['kernel', 'engine', 'server', 'wiring', 'client'],
    advice: 'only wiring.ts sees the adapters: build it there and pass it on',
  },
  wiring: {
    zones: ['kernel', 'engine', 'adapter', 'pages', 'server'],
    advice: 'wiring builds the engine and its adapters, and nothing else',
  },
}

const isContract = (path: string) => /\/(contract|[a-z0-9-]*-schemas)\.ts$/.test(path)

/** `room` and `room/folder` of a file of the engine; the folder is the room where there is none. */
function placeOf(path: string): { room: Room; folder: string } | undefined {
  const [, room, folder] = /^packages\/engine\/src\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? []
  if (room === undefined) return undefined
  return { room: room as Room, folder: folder === undefined ? room : `${room}/${folder}` }
}

export const dependencyRule: Rule = {
  name: 'dependencies',
  check: (file) => (isTestFile(file.path) ? [] : file.imports.flatMap((each) => refuse(file, each))),
}

function refuse(
  file: SourceFile,
  { specifier, target, isType, line }: SourceFile['imports'][number],
): Finding[] {
  const zone = zoneOf(file.path)
  if (zone === undefined) return []
  const { zones, advice } = allowed[zone]
  const finding = (message: string): Finding[] => [{ path: file.path, line, message }]
  if (target === undefined) {
    return zone === 'kernel' ? finding(`imports ${specifier}; ${allowed.kernel.advice}`) : []
  }
  const place = placeOf(target)
  if (zone === 'adapter' && place) {
    const isOpen = place.room === 'ports' || (place.room === 'reference' && target.endsWith('/index.ts'))
    return isOpen ? [] : finding(`imports ${target}; ${advice}`)
  }
  const targetZone = zoneOf(target)
  if (targetZone === undefined || !zones.includes(targetZone)) {
    return finding(`imports ${target}; ${advice}`)
  }
  const from = placeOf(file.path)
  if (zone === 'pages' && place && roomsOfFeatures.has(place.room) && !target.endsWith('/index.ts')) {
    return finding(`imports the inside of a feature, ${target}; export what you need from its index.ts`)
  }
  if (!place || !from) return []
  if (!rooms.includes(from.room)) return finding(`stands in no room; they are ${rooms.join(', ')}`)
  if (rooms.indexOf(place.room) > rooms.indexOf(from.room)) {
    return finding(
      `imports ${target}, from a room above its own; take what you need as a parameter, or move it down`,
    )
  }
  if (!roomsOfFeatures.has(place.room) || from.folder === place.folder || target.endsWith('/index.ts'))
    return []
  if (from.room === 'assembly' && target.endsWith('/feature.ts')) return []
  // What travels on the wire is public: any file may name its types, and contracts are built of each other.
  if (isContract(target) && (isType || isContract(file.path))) return []
  return finding(
    `imports the inside of another feature, ${target}; export what you need from its index.ts (types of a contract may be imported directly)`,
  )
}

/** A promise to users is tested as users meet it; what looks or reaches into the engine is in tests/inside. */
export const outsideRule: Rule = {
  name: 'end-to-end tests',
  check: ({ path, code, imports }) =>
    path.startsWith('tests/e2e/')
      ? [
          ...imports
            .filter(({ target, isType }) => !isType && /^packages\/(engine|adapters)\//.test(target ?? ''))
            .map(({ target, line }) => ({
              path,
              line,
              message: `imports ${target}; use what callers have, or move the test to tests/inside`,
            })),
          ...code.split('\n').flatMap((text, index) =>
            reachingInside.test(text)
              ? [
                  {
                    path,
                    line: index + 1,
                    message:
                      'takes the engine out of the test server; use what that opens, or move the test to tests/inside',
                  },
                ]
              : [],
          ),
        ]
      : [],
}

const reachingInside = /\.engine\b|\{[^}]*\bengine\b[^}]*\} = /

/** Every circle of folders of the engine, rooms among them, each as the folders that it goes through. */
export function folderCircles(files: readonly SourceFile[]): string[][] {
  const edges = new Map<string, Set<string>>()
  for (const file of files) {
    const from = placeOf(file.path)
    if (!from || isTestFile(file.path)) continue
    for (const { target } of file.imports) {
      const to = target === undefined ? undefined : placeOf(target)
      if (!to) continue
      // A room is a folder as well: files of two rooms connect both the folders and the rooms.
      for (const [a, b] of [
        [from.folder, to.folder],
        [`${from.room}/`, `${to.room}/`],
      ] as const) {
        if (a === b) continue
        edges.set(a, (edges.get(a) ?? new Set()).add(b))
      }
    }
  }
  return circlesOf(edges)
}

/** The strongly connected parts of more than one node (Tarjan). */
function circlesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (node: string): void => {
    order.set(node, order.size)
    lowest.set(node, order.get(node)!)
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!))
    }
    if (lowest.get(node) !== order.get(node)) return
    const circle = stack.splice(stack.indexOf(node))
    if (circle.length > 1) circles.push(circle)
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return circles
}

export const circleRule: Rule = {
  name: 'folder circles',
  checkAll: (files) =>
    folderCircles(files).map((folders) => ({
      path: `packages/engine/src/${folders[0]}`,
      message: `imports itself in a circle, by way of ${folders.slice(1).join(', ')}`,
    })),
}

export function isTestFile(path: string): boolean {
  return /\.test\.ts$/.test(path) || /^(tests|packages\/testkit)\//.test(path)
}
