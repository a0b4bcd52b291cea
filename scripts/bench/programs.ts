import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const output = 'node_modules/.cache/corridor-bench'

const programs = {
  applier: 'scripts/bench/applier.ts',
  load: 'scripts/bench/load.ts',
  'bare-server': 'scripts/bench/bare-server.ts',
} as const

/** Bundles a program of this folder, so that no compiler runs beside what is measured. */
export async function bundle(name: keyof typeof programs): Promise<string> {
  await mkdir(output, { recursive: true })
  const outfile = join(output, `${name}.mjs`)
  await build({
    entryPoints: [programs[name]],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: ['pg', 'undici', '@electric-sql/pglite'],
    logLevel: 'warning',
  })
  return outfile
}

/** Runs a bundled program to its end and reads the JSON it printed. */
export async function runProgram<T>(file: string, input: unknown): Promise<T> {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(input))
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`${file} ended with ${code}`)
  return JSON.parse(printed) as T
}

/** Starts a program that stays, and waits until what it prints contains `ready`. The caller kills it. */
export async function startProgram(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  ready: string,
): Promise<{ readonly child: ChildProcess; readonly printed: string }> {
  const child = spawn(process.execPath, [...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      if (printed.length < 100_000) printed += chunk
      if (printed.includes(ready)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('close', (code) => reject(new Error(`${parameters[0]} ended with ${code}\n${printed}`)))
  })
  // From here on only drained: a full pipe would stop the program.
  child.stdout.removeAllListeners('data').resume()
  child.stderr.removeAllListeners('data').resume()
  return { child, printed }
}
