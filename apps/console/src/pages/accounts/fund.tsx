import { type Amount, toMinorUnits } from '@corridor/sdk/money.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Trouble } from '../../parts/states.tsx'

/** Of the sandbox: money that comes from nowhere. */
export function Fund({ account, balance }: { readonly account: string; readonly balance: Amount }) {
  const { corridor } = useSession()
  const queries = useQueryClient()
  const [amount, setAmount] = useState('1,000')
  const fund = useMutation({
    mutationFn: async () =>
      await corridor.sandbox.internalAccounts.fund(account, {
        amount: toMinorUnits(amount.trim(), balance.currency.decimals),
      }),
    onSuccess: () => queries.invalidateQueries(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    fund.mutate()
  }
  return (
    <>
      <form className="fields" onSubmit={submit}>
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
        <button type="submit" disabled={fund.isPending}>
          {t('Fund')}
        </button>
      </form>
      {fund.isError && <Trouble isAnswer error={fund.error} />}
    </>
  )
}
