import { noWorlds, type Worlds } from '../../../packages/engine/src/ports/worlds.ts'
import { fail } from '../../../packages/engine/src/vocabulary/errors.ts'
import { failed, type Instant, ok } from '../../../packages/kernel/src/index.ts'

/** Worlds that are names and nothing else: the server of the examples has one database, and copies none. */
export function namedWorlds(createdAt: Instant): Worlds {
  const forks: { name: string; baseUrl: string; from: string; createdAt: Instant }[] = []
  const snapshots: { name: string; of: string; createdAt: Instant }[] = []
  const unknown = (resourceType: string, id: string) =>
    failed(fail('REFERENCE_NOT_FOUND', { resourceType, id }))
  const restored = async (name: string) =>
    snapshots.some((each) => each.name === name)
      ? ok({ name, of: 'main', createdAt })
      : unknown('SandboxSnapshot', name)
  return {
    ...noWorlds,
    list: async () => ok(forks),
    snapshots: async () => ok(snapshots),
    restore: restored,
    reset: async () => ok({ name: 'start', of: 'main', createdAt }),
    drop: async (name) => (isRemoved(forks, name) ? ok(null) : unknown('SandboxWorld', name)),
    dropSnapshot: async (name) => (isRemoved(snapshots, name) ? ok(null) : unknown('SandboxSnapshot', name)),
    async fork(name, from = 'main') {
      const made = { name, baseUrl: `http://localhost:8080/w/${name}`, from, createdAt }
      forks.push(made)
      return ok(made)
    },
    async snapshot(name) {
      const made = { name, of: 'main', createdAt }
      snapshots.push(made)
      return ok(made)
    },
  }
}

function isRemoved(all: { readonly name: string }[], name: string): boolean {
  const index = all.findIndex((each) => each.name === name)
  if (index >= 0) all.splice(index, 1)
  return index >= 0
}
