import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderApiPages } from './api-pages.ts'
import { readContents } from './contents.ts'
import { renderSite } from './site.ts'

const collection = 'corridor.postman_collection.json'

/** Writes the documentation into a folder, as the server serves it: pages as `.html`, the rest under its own name. */
export function writeSite(root: string, directory: string): void {
  const document = JSON.parse(readFileSync(join(root, 'openapi/openapi.json'), 'utf8'))
  const files = renderSite(readContents(root, renderApiPages(document)))
  for (const [address, text] of files) {
    const name = /\.\w+$/.test(address) ? address : `${address}.html`
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  // The console gives it to whoever begins with Postman.
  cpSync(join(root, 'openapi', collection), join(directory, 'docs', collection))
  cpSync(join(import.meta.dirname, 'assets'), join(directory, 'docs'), { recursive: true })
}
