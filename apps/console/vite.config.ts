import { join } from 'node:path'
import type { InlineConfig } from 'vite'

/** The console is files: built into the server's folder, where the server finds them. */
export function consoleBuild(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: import.meta.dirname,
    base: '/console/',
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // The policy of the page allows no address of its own making.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // Marks for servers that render, of which there is none here.
        onLog: (level, log, tell) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log)
        },
      },
    },
    resolve: {
      alias: [
        { find: /^@corridor\/sdk\//, replacement: `${join(import.meta.dirname, '../../packages/sdk/src')}/` },
      ],
    },
    oxc: { jsx: { runtime: 'automatic' } },
  }
}

// With the name by which the page is asked for, as the server takes requests of no other origin.
const api = { target: 'http://127.0.0.1:8080', changeOrigin: false }

/** For `vite` by hand: pages that reload as they are written, with the API of a server at its usual port. */
export default {
  ...consoleBuild('dist'),
  server: { proxy: { '/console/api': api, '/console/session': api } },
}
