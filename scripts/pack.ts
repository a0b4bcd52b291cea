import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'

/**
 * Makes the packages that people install, as files that need no registry: `npm run pack`. They are
 * `@corridor/sdk`, and `corridor` with the command line and the server. Prints the paths. With a folder, they are made there.
 */

const root = join(import.meta.dirname, '..')
const output = resolve(process.argv[2] ?? join(root, 'dist/packages'))
const { version } = readJson('package.json')

rmSync(output, { recursive: true, force: true })
mkdirSync(output, { recursive: true })
for (const folder of [await packSdk(), await packCorridor()]) {
  const [packed] = JSON.parse(
    run('npm', ['pack', folder, '--pack-destination', output, '--json', '--offline']),
  )
  console.log(join(output, packed.filename))
}

/** ESM and CommonJS with their types; no dependency. */
async function packSdk(): Promise<string> {
  const source = join(root, 'packages/sdk')
  const folder = join(output, 'sdk')
  for (const [format, extension] of [
    ['esm', 'js'],
    ['cjs', 'cjs'],
  ] as const) {
    const common = {
      bundle: true,
      target: 'es2022',
      format,
      outExtension: { '.js': `.${extension}` },
      logLevel: 'warning',
    } as const
    // Where there is no Node, nothing of it may be asked for: the client is built for any platform.
    await build({
      ...common,
      entryPoints: { index: join(source, 'src/index.ts') },
      outdir: folder,
      platform: 'neutral',
    })
    await build({
      ...common,
      entryPoints: { testing: join(source, 'src/testing/index.ts') },
      outdir: folder,
      platform: 'node',
      plugins: [besides(`./index.${extension}`)],
    })
  }
  writeTypes(source, folder)
  for (const name of ['README.md']) cpSync(join(source, name), join(folder, name))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const entry = (name: string, types: string) => ({
    import: { types: `./types/esm/${types}.d.ts`, default: `./${name}.js` },
    require: { types: `./types/cjs/${types}.d.ts`, default: `./${name}.cjs` },
  })
  const { name, description, license } = readJson('packages/sdk/package.json')
  writeJson(join(folder, 'package.json'), {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=20' },
    sideEffects: false,
    main: './index.cjs',
    module: './index.js',
    types: './types/esm/index.d.ts',
    exports: { '.': entry('index', 'index'), './testing': entry('testing', 'testing/index') },
    // For `@corridor/sdk/testing` alone, which starts the server that is in it.
    peerDependencies: { corridor: '*' },
    peerDependenciesMeta: { corridor: { optional: true } },
  })
  return folder
}

/** The client is one module, so that `instanceof Corridor.Error` holds in tests as well. */
function besides(client: string): Plugin {
  return {
    name: 'client beside it',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.\/index\.ts$/ }, () => ({ path: client, external: true }))
    },
  }
}

/** Declarations of the sources, once for each kind of module: imports name the files that are there. */
function writeTypes(source: string, folder: string): void {
  const esm = join(folder, 'types/esm')
  run(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--declaration',
    '--emitDeclarationOnly',
    '--noEmit',
    'false',
    '--outDir',
    esm,
    '--rootDir',
    join(source, 'src'),
    ...['target', 'module', 'moduleResolution'].flatMap((name) => [`--${name}`, compilerOption(name)]),
    '--types',
    'node',
    ...['strict', 'allowImportingTsExtensions', 'skipLibCheck', 'exactOptionalPropertyTypes'].map(
      (name) => `--${name}`,
    ),
    join(source, 'src/index.ts'),
    join(source, 'src/testing/index.ts'),
  ])
  for (const file of readdirSync(esm, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue
    const path = join(esm, file)
    const text = readFileSync(path, 'utf8').replace(/(from |import\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2')
    writeFileSync(path, text)
  }
  cpSync(esm, join(folder, 'types/cjs'), { recursive: true })
  writeJson(join(folder, 'types/cjs/package.json'), { type: 'commonjs' })
}

function compilerOption(name: string): string {
  return readJson('tsconfig.json').compilerOptions[name]
}

/** The command line and the server, bundled, with the packages that find files of their own beside their code. */
async function packCorridor(): Promise<string> {
  run('npm', ['run', '--silent', 'build'])
  const folder = join(output, 'corridor')
  cpSync(join(root, 'apps/server/dist'), join(folder, 'server'), { recursive: true })
  await build({
    entryPoints: { cli: join(root, 'apps/cli/src/main.ts') },
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  })
  const bundled = ['@electric-sql/pglite', 'swagger-ui-dist'].filter((name) =>
    existsSync(join(root, 'node_modules', name)),
  )
  for (const name of bundled) {
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    })
  }
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const { name, description, license, engines } = readJson('package.json')
  writeJson(join(folder, 'package.json'), {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { corridor: './cli.js' },
    exports: { './server': './server/main.js', './package.json': './package.json' },
    dependencies: Object.fromEntries(
      bundled.map((each) => [each, readJson(`node_modules/${each}/package.json`).version]),
    ),
    bundleDependencies: bundled,
  })
  return folder
}

function run(command: string, parameters: readonly string[]): string {
  return execFileSync(command, parameters, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
