import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { admin, madeOnceVariable, migrateUrl, templateVariables } from './database.ts'
import { keptTemplate } from './kept-template.ts'
import { clusterVariable } from './migrated-cluster.ts'

/**
 * Migrates one template before all tests; every test file starts from a copy of it. With
 * CORRIDOR_TEST_DATABASE_URL the same suite runs on that PostgreSQL server.
 */
export default async function prepare(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'corridor-test-'))
  process.env[madeOnceVariable] = directory
  const dropTemplate = await prepareTemplate()
  return async () => {
    await dropTemplate()
    await rm(directory, { recursive: true, force: true })
  }
}

async function prepareTemplate(): Promise<() => Promise<unknown>> {
  const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
  if (serverUrl) {
    const name = `corridor_template_${process.pid}`
    await admin(serverUrl, `create database ${name}`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    await migrateUrl(url.href)
    process.env[templateVariables.postgresql] = url.href
    return () => admin(serverUrl, `drop database if exists ${name} with (force)`)
  }
  const { dump, cluster } = await keptTemplate()
  process.env[templateVariables.pglite] = dump
  process.env[clusterVariable] = cluster
  return async () => {}
}
