import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { amountIn } from '../../parts/decimals.ts'
import { nameOf } from '../../parts/names.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { accountChoice } from '../accounts/account-choice.ts'
import {
  type Arrived,
  arrive,
  byBankFirst,
  freshRailReference,
  type Into,
  nobodys,
  waysTo,
} from './arrivals.ts'
import { ArrivedList } from './arrived.tsx'
import { type Choice, meantBy } from './choice.ts'
import { Pick } from './pick.tsx'
import { Scenarios } from './scenarios.tsx'

/** A deposit into an account, as a bank or a chain would bring it. */
export function AccountIn({ id, onChange }: Into) {
  const { corridor } = useSession()
  const listed = useQuery({
    queryKey: ['money-in', 'accounts'],
    queryFn: async (): Promise<Choice[]> => {
      const [own, accounts, customers] = await Promise.all([
        corridor.platform.internalAccounts.list(),
        corridor.customers.internalAccounts.list({ limit: 100 } as never),
        corridor.customers.list({ limit: 100 } as never),
      ])
      const names = new Map(customers.data.map((customer) => [customer.id as string, nameOf(customer)]))
      const ownerOf = (of: string | undefined) =>
        of === undefined
          ? t('The platform')
          : (names.get(of) ?? t('Customer {end}', { end: `…${of.slice(-6)}` }))
      return byBankFirst([...accounts.data, ...own.data]).map((account) => ({
        value: account.id,
        name: accountChoice(ownerOf(account.customerId), account),
      }))
    },
  })
  if (listed.isPending) return <Loading />
  if (!listed.data) return <Trouble error={listed.error} onRetry={() => void listed.refetch()} />
  const chosen = meantBy(id, listed.data)
  return (
    <>
      {listed.data.length === 0 && (
        <Nothing
          title={t('No account yet. Create a customer, who gets one.')}
          cli="corridor customers create"
        >
          <Scenarios />
        </Nothing>
      )}
      <div className="fields pick">
        <Pick
          label={t('Account')}
          of={listed.data}
          value={id}
          onChange={onChange}
          other={t('Id of the account')}
        />
      </div>
      {chosen && <Deposit key={chosen} id={chosen} />}
    </>
  )
}

function Deposit({ id }: { readonly id: string }) {
  const { corridor } = useSession()
  const account = useQuery({ queryKey: ['account', id], queryFn: () => corridor.internalAccounts.get(id) })
  const [way, setWay] = useState('')
  const [amount, setAmount] = useState('')
  const [typed, setReference] = useState<string>()
  const [payer, setPayer] = useState('')
  const [arrived, setArrived] = useState<readonly Arrived[]>()
  if (account.isPending) return <Loading />
  if (!account.data) {
    return <Trouble error={account.error} missing={id} onRetry={() => void account.refetch()} />
  }
  const { balance } = account.data
  const ways = waysTo(account.data)
  const { name, currency, reference: known } = ways.find((each) => each.name === way) ?? ways[0]!
  const reference = typed ?? known ?? ''
  const isNothing = amount.trim() === ''
  const comes = async (as: string, railReferences?: readonly string[]) =>
    arrive(
      corridor,
      { currency, amount: await amountIn(corridor, amount, currency, balance), reference: as, payer },
      railReferences,
    )
  /** Where no reference tells whose it is, it is put in without one. */
  const put = async (): Promise<Arrived[]> => {
    await corridor.sandbox.internalAccounts.fund(id, {
      amount: await amountIn(corridor, amount, currency, balance),
    })
    return [{ outcome: 'CREDITED' }]
  }
  const twice = () => {
    const one = freshRailReference()
    return comes(reference, [one, one])
  }
  return (
    <>
      <div className="fields">
        {ways.length > 1 && (
          <label>
            <span>{t('How')}</span>
            <select value={name} onChange={({ target }) => setWay(target.value)}>
              {ways.map((each) => (
                <option key={each.name}>{each.name}</option>
              ))}
            </select>
          </label>
        )}
        <label>
          <span>{t('Amount in {currency}, as 1,000.00', { currency })}</span>
          <input
            value={amount}
            maxLength={40}
            inputMode="decimal"
            onChange={({ target }) => setAmount(target.value)}
          />
        </label>
        {known !== undefined && (
          <>
            <label>
              <span>{t('Reference, as the payer writes it')}</span>
              <input
                value={reference}
                maxLength={512}
                onChange={({ target }) => setReference(target.value)}
              />
            </label>
            <label>
              <span>{t('Name of the payer, if reported')}</span>
              <input value={payer} maxLength={255} onChange={({ target }) => setPayer(target.value)} />
            </label>
          </>
        )}
        <Act
          isMain
          run={() => (known === undefined ? put() : comes(reference))}
          isDisabled={isNothing}
          then={setArrived}
        >
          {t('Let it arrive')}
        </Act>
      </div>
      {known !== undefined && (
        <fieldset className="acts" aria-label={t('Try')}>
          <span className="muted">{t('Try:')}</span>
          <Act run={() => comes(nobodys)} isDisabled={isNothing} then={setArrived}>
            {t('Wrong reference')}
          </Act>
          <Act run={twice} isDisabled={isNothing} then={setArrived}>
            {t('Report twice')}
          </Act>
        </fieldset>
      )}
      {known === undefined && (
        <p className="muted">
          {t('The details of this account contain no reference, so deposits need none.')}
        </p>
      )}
      <ArrivedList of={arrived} />
    </>
  )
}
