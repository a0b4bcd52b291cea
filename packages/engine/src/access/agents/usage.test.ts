import { expect, it } from 'vitest'
import { renderUsage } from './usage.ts'

// Wallets 12.3: what is shown of an agent that no limit of a day or a month binds.

it('what was spent is told as far as it can be', () => {
  const beyond = 2n ** 53n + 1n
  const usage = {
    dailyCount: 2n,
    dailySpendMinor: beyond,
    monthlySpendMinor: beyond,
    formerDailyMinor: 0n,
    formerMonthlyMinor: 0n,
  }
  expect(renderUsage(usage, Date.UTC(2026, 0, 31))).toMatchObject({
    dailyTransactionCount: 2,
    dailySpend: Number.MAX_SAFE_INTEGER,
    monthlySpend: Number.MAX_SAFE_INTEGER,
    monthlyResetMonth: '2026-02',
  })
})
