import type { Answer, Corridor } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { authorizationCode } from '../../generated/sandbox.ts'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Facts, Moment, textOf } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'

type Quote = Answer<'getQuoteById'>

/** What the customer is asked before it is paid, and a field for the answer. */
export function Authorization({ quote }: { readonly quote: Quote }) {
  const { corridor, environment } = useSession()
  const [code, setCode] = useState('')
  const [signed, setSigned] = useState(0)
  const challenge = quote.scaChallenge
  if (!challenge) return null
  const amount = textOf({ amount: quote.totalSendingAmount, currency: quote.sendingCurrency })
  return (
    <Part title={t('The customer has to authorize it')}>
      <Facts
        of={[
          [t('Asked by'), challenge.factor],
          [t('What for'), challenge.purpose],
          [t('Authorize by'), <Moment key="u" at={challenge.expiresAt} />],
        ]}
      />
      {challenge.factor === 'PASSKEY' ? (
        <p>
          {rich(
            'A passkey works only where it was enrolled: in your app, with <field></field> in <request></request>.',
            {
              field: () => <code>passkeyAssertion</code>,
              request: () => <code>POST /quotes/{quote.id}/authorize</code>,
            },
          )}
        </p>
      ) : (
        <>
          {environment === 'sandbox' && (
            <div className="acts part">
              <Act
                run={async () => signInCustomer(corridor, await customerOf(corridor, quote))}
                then={() => setSigned((before) => before + 1)}
              >
                {t('Sign the customer in, as your app would')}
              </Act>
              <span className="muted" role="status">
                {signed === 0
                  ? t('Do this first if the customer is not signed in: Corridor accepts no code before that.')
                  : t('The customer is signed in.')}
              </span>
            </div>
          )}
          <form className="fields part">
            <label>
              <span>{t('Code that the customer received')}</span>
              <input
                value={code}
                required
                maxLength={512}
                inputMode="numeric"
                autoComplete="one-time-code"
                onChange={(event) => setCode(event.target.value)}
              />
            </label>
            {environment === 'sandbox' && <SandboxCode quote={quote} onUse={setCode} />}
            <Act
              // What was refused before somebody signed in is told no more.
              key={signed}
              isMain
              isSubmit
              asks={t('Authorize {amount} with this code', { amount })}
              run={() => corridor.quotes.authorize(quote.id, { code: code.trim() })}
              then={() => setCode('')}
            >
              {t('Authorize')}
            </Act>
            {challenge.factor === 'SMS_OTP' && (
              <Act
                asks={t('Send the customer a new code for {amount}', { amount })}
                run={() => corridor.quotes.resendAuthorizationCode(quote.id)}
              >
                {t('Send another code')}
              </Act>
            )}
          </form>
        </>
      )}
    </Part>
  )
}

/** The code of the sandbox; the message that would have brought it, where the customer has a phone. */
function SandboxCode({ quote, onUse }: { readonly quote: Quote; readonly onUse: (code: string) => void }) {
  const { corridor } = useSession()
  const message = useQuery({
    queryKey: ['code-of', quote.id, quote.scaChallenge?.id],
    queryFn: async () => {
      const customerId = await customerOf(corridor, quote)
      const query = { customerId, channel: 'SMS', createdAfter: quote.createdAt, limit: 1 }
      return (await corridor.sandbox.inbox.list(query as never)).data[0] ?? null
    },
  })
  const text = message.data?.text
  const code = /\b\d{4,12}\b/.exec(text ?? '')?.[0] ?? authorizationCode
  return (
    <>
      <button type="button" onClick={() => onUse(code)}>
        {t('Use {code}', { code })}
      </button>
      <p className="muted">
        {text
          ? t('In the inbox: {text}', { text })
          : t('No message was sent: the sandbox accepts this code.')}
      </p>
    </>
  )
}

/** Whose money a quote spends. */
async function customerOf(corridor: Corridor, { source }: Quote): Promise<string> {
  const from = source as unknown as { readonly customerId?: string; readonly accountId?: string }
  const customerId =
    from.customerId ??
    (from.accountId?.startsWith('InternalAccount:')
      ? (await corridor.internalAccounts.get(from.accountId)).customerId
      : undefined)
  if (!customerId) throw new Error(t('The customer of the quote is unknown.'))
  return customerId
}

/** Opens the session that authorizing needs. The address is one of those that are kept for documentation. */
async function signInCustomer(corridor: Corridor, customerId: string): Promise<unknown> {
  const query = { customerId } as never
  const { challengeId } = await corridor.sca.login.start({ factor: 'SMS_OTP' }, query)
  return await corridor.sca.login.complete(
    { factor: 'SMS_OTP', challengeId, code: authorizationCode, endUserIpAddress: '203.0.113.9' } as never,
    query,
  )
}
