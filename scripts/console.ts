import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'vite'
import { consoleBuild } from '../apps/console/vite.config.ts'

/** Builds the console into a folder, each text also compressed: doing that at each request would cost its reader a second. */
export async function buildConsole(folder: string): Promise<void> {
  await build(consoleBuild(folder))
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|html|svg)$/.test(name)) continue
    const path = join(folder, name)
    const text = readFileSync(path)
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 9,
          [constants.BROTLI_PARAM_SIZE_HINT]: statSync(path).size,
        },
      }),
    )
  }
}
