import { toMinorUnits } from '@corridor/sdk/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { useInWorld } from '../../parts/in-world.ts'
import { nameOf } from '../../parts/names.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { type Arrived, byBankFirst, type Into } from './arrivals.ts'
import { ArrivedList } from './arrived.tsx'
import { another, meantBy } from './choice.ts'
import { Pick } from './pick.tsx'
import { Scenarios } from './scenarios.tsx'
import { umaSenders } from './uma-senders.ts'

/** A payment of somebody elsewhere to the UMA address of a customer. */
export function UmaIn({ id, onChange }: Into) {
  const { corridor } = useSession()
  const listed = useQuery({
    queryKey: ['money-in', 'customers'],
    queryFn: async () => {
      const { data } = await corridor.customers.list({ limit: 100 } as never)
      return data.map((customer) => ({
        value: customer.id as string,
        name: `${nameOf(customer)} · ${customer.umaAddress}`,
      }))
    },
  })
  const config = useQuery({ queryKey: ['config'], queryFn: () => corridor.config.get() })
  const there = useInWorld()
  if (listed.isPending) return <Loading />
  if (!listed.data) return <Trouble error={listed.error} onRetry={() => void listed.refetch()} />
  const chosen = meantBy(id, listed.data)
  return (
    <>
      {config.data && !config.data.webhookEndpoint && (
        <p className="story attention">
          {rich(
            'Your endpoint must approve the payment first, and none is set. <link>Set one</link>, or listen on your machine: <code></code>',
            {
              link: (said) => (
                <Go key="link" to="settings">
                  {said}
                </Go>
              ),
              code: () => <code key="code">{there.cli(words.listen)}</code>,
            },
          )}
        </p>
      )}
      {listed.data.length === 0 && (
        <Nothing title={t('No customer can be paid yet.')} cli="corridor customers create">
          <Scenarios />
        </Nothing>
      )}
      <div className="fields pick">
        <Pick
          label={t('To the customer')}
          of={listed.data}
          value={id}
          onChange={onChange}
          other={t('Id of the customer')}
        />
      </div>
      {chosen && <Paying key={chosen} customerId={chosen} />}
    </>
  )
}

function Paying({ customerId }: { readonly customerId: string }) {
  const { corridor } = useSession()
  const accounts = useQuery({
    queryKey: ['money-in', 'accounts-of', customerId],
    queryFn: async () =>
      (await corridor.customers.internalAccounts.list({ customerId, limit: 100 } as never)).data,
  })
  const [sender, setSender] = useState(umaSenders[0]!.value)
  const [chosen, setCurrency] = useState('')
  const [amount, setAmount] = useState('')
  const [arrived, setArrived] = useState<readonly Arrived[]>()
  if (accounts.isPending) return <Loading />
  if (!accounts.data) {
    return <Trouble error={accounts.error} missing={customerId} onRetry={() => void accounts.refetch()} />
  }
  const currencies = byBankFirst(accounts.data).map(({ balance }) => balance.currency)
  const currency = currencies.find(({ code }) => code === chosen) ?? currencies[0]
  if (!currency) return <Nothing title={t('This customer has no account that can receive money.')} />
  const pay = async (): Promise<Arrived[]> => {
    const payment = await corridor.sandbox.uma.receive({
      senderUmaAddress: sender,
      customerId,
      receivingCurrencyCode: currency.code,
      receivingCurrencyAmount: toMinorUnits(amount.trim(), currency.decimals),
    } as never)
    return [{ outcome: 'PENDING', transactionId: payment.id }]
  }
  return (
    <>
      <div className="fields">
        <Pick
          label={t('From')}
          of={umaSenders}
          value={sender}
          onChange={setSender}
          other={t('UMA address')}
        />
        <label>
          <span>{t('Received in')}</span>
          <select value={currency.code} onChange={({ target }) => setCurrency(target.value)}>
            {currencies.map(({ code }) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('Amount in {currency}, as 1,000.00', { currency: currency.code })}</span>
          <input
            value={amount}
            maxLength={40}
            inputMode="decimal"
            onChange={({ target }) => setAmount(target.value)}
          />
        </label>
        <Act isMain run={pay} isDisabled={amount.trim() === '' || sender === another} then={setArrived}>
          {t('Let it arrive')}
        </Act>
      </div>
      <ArrivedList of={arrived} />
    </>
  )
}
