import { type Amount, toMinorUnits } from '@corridor/sdk/money.ts'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'

/** Of the sandbox: money that comes from nowhere. */
export function Fund({ account, balance }: { readonly account: string; readonly balance: Amount }) {
  const { corridor } = useSession()
  const [amount, setAmount] = useState('1,000')
  return (
    <form className="fields">
      <label>
        <span>{t('Amount in {currency}', { currency: balance.currency.code })}</span>
        <input
          name="amount"
          value={amount}
          required
          maxLength={40}
          inputMode="decimal"
          onChange={(event) => setAmount(event.target.value)}
        />
      </label>
      <Act
        isSubmit
        run={async () =>
          await corridor.sandbox.internalAccounts.fund(account, {
            amount: toMinorUnits(amount.trim(), balance.currency.decimals),
          })
        }
      >
        {t('Fund')}
      </Act>
    </form>
  )
}
