import { afterAll } from 'vitest'
import { failOnUnexpectedErrors, watchProcesses } from './unexpected-errors.ts'

// Before the tests of each file; and after all that the file does in the end, because the first of these hooks runs last.
watchProcesses()
afterAll(failOnUnexpectedErrors)
