import { TestRunner } from 'vitest'
import { writeStatements } from './answered-statements.ts'
import { cpuSecondsOfTree } from './process-tree.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Of a test file, with the processes that it starts. */
    cpuSeconds?: number
    /** Of a skipped test: what it needs that is not there. */
    needs?: string
  }
}

type TestFile = Parameters<TestRunner['onCollectStart']>[0]
interface Task {
  readonly type: string
  readonly mode: string
  readonly meta: { needs?: string }
  readonly tasks?: readonly Task[]
}

let hasListener = false

/**
 * Vitest's own runner with two changes. It cleans up a worker once: with `isolate: false`, each file adds a listener that visits
 * the fixtures of all files, which took half a minute and gigabytes at the end of a run. And it notes the CPU of each
 * file and why tests are skipped, for the summary.
 */
export default class extends TestRunner {
  #start = 0
  #file: TestFile | undefined

  override onCollectStart(file: TestFile): void {
    this.#start = cpuSecondsOfTree()
    this.#file = file
    super.onCollectStart(file)
  }

  onCollected(files: readonly Task[]): void {
    for (const file of files) noteNeeds(file, undefined)
  }

  override onAfterRunFiles(): void {
    if (this.#file) this.#file.meta.cpuSeconds = cpuSecondsOfTree() - this.#start
    writeStatements()
    super.onAfterRunFiles()
  }

  override onCleanupWorkerContext(listener: () => unknown): void {
    if (hasListener) return
    hasListener = true
    super.onCleanupWorkerContext(listener)
  }
}

/** Most tests that are skipped need the other database. Those that need something else say so in their meta. */
function noteNeeds(task: Task, inherited: string | undefined): void {
  const needs = task.meta.needs ?? inherited
  if (task.type === 'test' && task.mode === 'skip') task.meta.needs = needs ?? otherDatabase
  for (const each of task.tasks ?? []) noteNeeds(each, needs)
}

const otherDatabase = process.env.CORRIDOR_TEST_DATABASE_URL ? 'the embedded database' : 'a PostgreSQL server'
