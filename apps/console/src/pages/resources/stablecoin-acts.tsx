import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { shortOf } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Trouble } from '../../parts/states.tsx'
import { meantBy } from '../sandbox/choice.ts'
import { Pick } from '../sandbox/pick.tsx'
import { movements, wordOf } from './codes.ts'
import { makeBankAccount, makeWallet } from './samples.ts'
import type { Stablecoin } from './stablecoin-pages.tsx'

interface CoinProps {
  readonly coin: Stablecoin
}

/** Makes coins once the dollars for them have come by wire, and hands them to a wallet of the platform. */
export function Mint({ coin }: CoinProps) {
  const { corridor } = useSession()
  return (
    <Operation
      coin={coin}
      title={t('Mint')}
      act={t('Mint')}
      into={t('Wallet that receives them')}
      type="SPARK_WALLET"
      sample={t('Register a wallet')}
      makeSample={() => makeWallet(corridor)}
      asks={(amount) => t('Mint {amount}', { amount })}
      run={(amount, accountId) =>
        corridor.stablecoins.mint(coin.id, {
          amount,
          fundingSource: { type: 'WIRE' },
          destination: { accountId },
        } as never)
      }
    />
  )
}

/** Takes coins out of the provider's balance, and pays their dollars to a bank account of the platform. */
export function Burn({ coin }: CoinProps) {
  const { corridor } = useSession()
  const [rail, setRail] = useState('WIRE')
  return (
    <Operation
      coin={coin}
      title={t('Burn')}
      act={t('Burn')}
      into={t('Bank account that receives the dollars')}
      type="USD_ACCOUNT"
      sample={t('Register a bank account')}
      makeSample={() => makeBankAccount(corridor)}
      asks={(amount) => t('Burn {amount}', { amount })}
      run={(amount, externalAccountId) =>
        corridor.stablecoins.burn(coin.id, {
          amount,
          source: { type: 'PROVIDER_INTERNAL_BALANCE' },
          destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId, rail },
        } as never)
      }
    >
      <label>
        <span>{t('By')}</span>
        <select value={rail} onChange={({ target }) => setRail(target.value)}>
          {['WIRE', 'ACH_CREDIT', 'SAME_DAY_ACH_CREDIT', 'RTP_CREDIT'].map((each) => (
            <option key={each} value={each}>
              {wordOf(movements, each)}
            </option>
          ))}
        </select>
      </label>
    </Operation>
  )
}

interface OperationProps extends CoinProps {
  readonly title: string
  readonly act: string
  /** What the account is to the operation. */
  readonly into: string
  readonly type: string
  /** What makes an account of that type where the sandbox has none. */
  readonly sample: string
  readonly makeSample: () => Promise<void>
  /** Of an amount with its coin. */
  readonly asks: (amount: string) => string
  readonly run: (amount: string, accountId: string) => PromiseLike<{ readonly id: string }>
  readonly children?: ReactNode
}

function Operation({
  coin,
  title,
  act,
  into,
  type,
  sample,
  makeSample,
  asks,
  run,
  children,
}: OperationProps) {
  const { corridor, environment } = useSession()
  const { go } = usePlaces()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  const accounts = useQuery({
    queryKey: ['platform-payees', type],
    queryFn: async () => {
      const { data } = await corridor.platform.externalAccounts.list({ limit: 100 } as never)
      return data
        .filter(({ accountInfo }) => accountInfo.accountType === type)
        .map(({ id, accountInfo }) => ({
          value: id as string,
          name: `${endOf(accountInfo)} · ${shortOf(id)}`,
        }))
    },
  })
  const account = meantBy(chosen, accounts.data ?? [])
  return (
    <Part title={title}>
      {accounts.isError && <Trouble error={accounts.error} onRetry={() => void accounts.refetch()} />}
      <div className="fields pick">
        <label>
          <span>{t('Amount in {currency}, as 1,000.00', { currency: coin.symbol })}</span>
          <input
            name="amount"
            value={text}
            maxLength={40}
            inputMode="decimal"
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <Pick
          label={into}
          of={accounts.data ?? []}
          value={chosen}
          onChange={setChosen}
          other={t('Id of the account')}
        />
        {children}
        <Act
          asks={asks(`${text.trim()} ${coin.symbol}`)}
          isDisabled={text.trim() === '' || account === ''}
          run={async () => run(unitsOf(text.trim(), coin.decimals), account)}
          then={({ id }) => go(`stablecoin-operations/${encodeURIComponent(id)}`)}
        >
          {act}
        </Act>
        {environment === 'sandbox' && accounts.data?.length === 0 && <Act run={makeSample}>{sample}</Act>}
      </div>
    </Part>
  )
}

function endOf(info: object): string {
  const { address, accountNumber } = info as { address?: string; accountNumber?: string }
  return `…${(address ?? accountNumber ?? '').slice(-4)}`
}

/** `1,000.5` as units of a coin: digits alone, exactly, of any length that the API takes. */
function unitsOf(text: string, decimals: number): string {
  const match = /^(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,18}))?$/.exec(text)
  const fraction = (match?.[2] ?? '').padEnd(decimals, '0')
  if (!match || fraction.length > decimals) {
    throw new RangeError(t('{text} is not an amount with at most {decimals} decimals', { text, decimals }))
  }
  return String(BigInt(match[1]!.replaceAll(',', '') + fraction))
}
