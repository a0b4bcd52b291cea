import { checkedValues, walkMachine } from '@corridor/testkit/machines.ts'
import { describe, expect, it } from 'vitest'
import { enablementMachine, issuanceMachine, operationMachine, providerAccountMachine } from './machine.ts'

/** Every state and event of the tables in cards-stablecoins 2; what is not listed is refused. */
const tables = {
  'stablecoin provider account': [
    'ACTIVE refuse INVALID',
    'INVALID accept ACTIVE',
    'ACTIVE revoke REVOKED',
    'INVALID revoke REVOKED',
  ],
  'stablecoin issuance': [
    'PENDING_REVIEW accept PROVISIONING',
    'PENDING_REVIEW reject REJECTED',
    'PROVISIONING finish PROVISIONED',
    'PROVISIONING fail FAILED',
  ],
  'stablecoin enablement': [
    'NOT_ENABLED request PENDING_APPROVAL',
    'PENDING_APPROVAL approve ENABLING',
    'PENDING_APPROVAL decline NOT_ENABLED',
    'ENABLING finish ENABLED',
    'ENABLED disable DISABLED',
    'DISABLED reEnable ENABLING',
  ],
  'stablecoin operation': [
    'CREATED awaitFunds PENDING_FUNDING',
    'CREATED take PENDING_PROVIDER',
    'CREATED refuse FAILED',
    'PENDING_FUNDING fund PROCESSING',
    'PENDING_FUNDING expire EXPIRED',
    'PENDING_PROVIDER start PROCESSING',
    'PENDING_PROVIDER fail FAILED',
    'PROCESSING fail FAILED',
    'PROCESSING settle COMPLETED',
  ],
}

describe.each([providerAccountMachine, issuanceMachine, enablementMachine, operationMachine])(
  '$name',
  (machine) => {
    it('moves as its table says and no other way', () => {
      const listed = walkMachine(machine)
        .filter(({ outcome }) => outcome in machine.states)
        .map(({ pair, outcome }) => `${pair} ${outcome}`)
      expect(listed.sort()).toEqual([...tables[machine.name as keyof typeof tables]].sort())
    })
  },
)

it.each([
  [providerAccountMachine, 'stablecoin_provider_accounts', 'status'],
  [issuanceMachine, 'stablecoins', 'issuance_status'],
  [enablementMachine, 'stablecoins', 'enablement_status'],
  [operationMachine, 'stablecoin_operations', 'status'],
])('the states of $name are those that its column allows', async (machine, table, column) => {
  expect((await checkedValues(table, column)).sort()).toEqual(Object.keys(machine.states).sort())
})
