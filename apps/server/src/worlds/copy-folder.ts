import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Nothing is left of a copy for which there was no room on the disk. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

/** As many as Node has threads for. */
const atATime = 4

/** What of a file is needed: all of it, nothing, or so many bytes from its beginning, and zeros for the rest. */
export type Needed = boolean | number

/**
 * Copies a folder with all that is in it, several files at a time: the folder of a database has a thousand small ones, and one
 * after the other takes twice as long. `neededOf` is told the path within the folder. Throws NoRoom where so many bytes cannot be
 * written in `within`, or could not be after all.
 */
export async function copyFolder(
  from: string,
  to: string,
  {
    within,
    neededOf = () => true,
  }: { readonly within: () => number; readonly neededOf?: (path: string) => Needed },
): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => join(relative(from, entry.parentPath), entry.name))
  const files = paths.flatMap((path, index) => {
    const needed = entries[index]!.isDirectory() ? false : neededOf(path)
    return needed === false ? [] : [{ path, needed }]
  })
  const sizes = files.map(async ({ path, needed }) =>
    typeof needed === 'number' ? needed : (await stat(join(from, path))).size,
  )
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  if (bytes > within()) throw new NoRoom()

  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const [index, path] of paths.entries()) {
    if (entries[index]!.isDirectory()) await mkdir(join(to, path), { recursive: true, mode: 0o700 })
  }
  let next = 0
  const copyNext = async () => {
    while (next < files.length) {
      const { path, needed } = files[next++]!
      const [source, target] = [join(from, path), join(to, path)]
      if (typeof needed === 'number') await copyBeginning(source, target, needed)
      else await copyFile(source, target, constants.COPYFILE_FICLONE)
    }
  }
  const copied = await Promise.allSettled(Array.from({ length: atATime }, copyNext))
  for (const one of copied) {
    if (one.status === 'fulfilled') continue
    await rm(to, { recursive: true, force: true })
    const { code } = one.reason as NodeJS.ErrnoException
    throw code === 'ENOSPC' || code === 'EDQUOT' ? new NoRoom() : one.reason
  }
}

/** Zeros that nobody has written take no room and no time. */
async function copyBeginning(from: string, to: string, bytes: number): Promise<void> {
  await using source = await open(from)
  await using target = await open(to, 'wx', 0o600)
  const { size } = await source.stat()
  const { buffer, bytesRead } = await source.read({
    buffer: Buffer.alloc(Math.min(bytes, size)),
    position: 0,
  })
  await target.write(buffer, 0, bytesRead, 0)
  await target.truncate(size)
}
