import { existsSync } from 'node:fs'
import { sealedColumns } from '@corridor/engine/assembly/sealed-columns.ts'
import { createDatabase } from '@corridor/engine/mechanisms/db/database.ts'
import { WrongMasterKey } from '@corridor/engine/mechanisms/keys/keyring.ts'
import {
  finishRotation,
  keyringTakeOverMs,
  RotationRefused,
  rotateMasterKey,
} from '@corridor/engine/mechanisms/keys/rotation.ts'
import { readConfig, StartRefused } from './config.ts'
import { databaseIn, openDataDirectory } from './data-directory.ts'
import { exit, run } from './exit.ts'
import { jsonLog, realWorld } from './real-world.ts'
import { keyServiceOf, newKeyServiceOf, openDriver } from './wiring.ts'

/**
 * Replaces the master key: `npm run rotate-master-key`, and once every process has been started with the new
 * key `npm run rotate-master-key -- finish`. Beside running servers on PostgreSQL; the embedded database serves
 * one process, so there the server has to be stopped. Stopped in the middle, it is begun again.
 */
async function rotate(): Promise<number> {
  const [step, ...rest] = process.argv.slice(2).filter((argument) => argument !== '--no-wait')
  if (rest.length > 0 || (step !== undefined && step !== 'finish')) {
    throw new StartRefused('Usage: npm run rotate-master-key [-- finish | -- --no-wait]')
  }
  const config = readConfig()
  if (!config.databaseUrl && !existsSync(databaseIn(config.dataDirectory))) {
    throw new StartRefused('No database found. Set CORRIDOR_DATA_DIR or DATABASE_URL.')
  }
  const world = realWorld(jsonLog('warn'))
  const directory = openDataDirectory(config.dataDirectory)
  const database = createDatabase(await openDriver(config, world, directory))
  try {
    if (step === 'finish') {
      await finishRotation({
        database,
        world,
        columns: sealedColumns,
        to: await keyServiceOf(config, world, directory),
      })
      say('Finished. The old master key no longer opens this database. Older backups still need the old key.')
      return exit.done
    }
    const mayWait = config.databaseUrl !== undefined && !process.argv.includes('--no-wait')
    const takeOverMs = mayWait ? keyringTakeOverMs : 0
    if (mayWait) say(`Waiting up to ${takeOverMs / 1000} s until every process has the new key.`)
    const count = await rotateMasterKey({
      database,
      world,
      columns: sealedColumns,
      from: await keyServiceOf(config, world, directory),
      to: await newKeyServiceOf(config, world, directory),
      takeOverMs,
      onProgress: ({ table }, resealed) => say(`${table}: resealed ${resealed} texts`),
    })
    const isFile = config.newMasterKey === undefined && config.newKms === undefined
    if (isFile) directory.replaceMasterKey()
    say(`Resealed ${count} texts. Both master keys now open the database.`)
    say(
      isFile
        ? 'The new key is in master.key, and the old key is in master.key.old. Restart every process.'
        : 'Restart every process with the new key instead of the old key.',
    )
    say('Then run npm run rotate-master-key -- finish.')
    return exit.done
  } catch (error) {
    if (error instanceof RotationRefused) throw new StartRefused(error.message)
    if (error instanceof WrongMasterKey) {
      throw new StartRefused('The master key does not match this database.')
    }
    throw error
  } finally {
    await database.close()
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

run(rotate)
