import { ok, toTimestamp } from '@corridor/kernel'
import { statement } from '../db/driver.ts'
import { insertRows } from '../db/write.ts'
import type { Engine } from '../engine.ts'
import type { Permission } from '../http/operation.ts'
import type { Environment } from '../http/scope.ts'
import { newCredential } from '../tokens/index.ts'

export interface NewPlatform {
  readonly name: string
  readonly environment: Environment
  readonly isRegulated: boolean
  readonly skipPaperwork: boolean
}

export interface ProvisionedPlatform extends NewPlatform {
  readonly platformId: string
  readonly clientId: string
  readonly clientSecret: string
}

const allPermissions: readonly Permission[] = ['VIEW', 'TRANSACT', 'MANAGE']
