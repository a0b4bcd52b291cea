import { type Amount, toMinorUnits } from '@corridor/sdk/money.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSession } from '../../app/session.tsx'
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
          <span>Amount in {balance.currency.code}</span>
          <input
            value={amount}
            required
            maxLength={40}
            inputMode="decimal"
            onChange={(event) => setAmount(event.target.value)}
          />
        </label>
        <button type="submit" disabled={fund.isPending}>
          Fund
        </button>
      </form>
      {fund.isError && <Trouble error={fund.error} />}
    </>
  )
}
