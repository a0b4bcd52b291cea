import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { placeOf } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Id, Moment, textOf } from '../facts.tsx'
import { Icon } from '../icon.tsx'
import { Part } from '../page.tsx'
import { Scrolled } from '../scrolled.tsx'
import { Loading, Trouble } from '../states.tsx'
import { Step } from '../step.tsx'
import { explanationId, postingsId, useExplanationAnchor } from './anchor.tsx'
import { Balances } from './balances.tsx'
import { Timeline } from './timeline.tsx'
import type { Explanation } from './use-explanation.ts'
import { pauseReasons, postingKinds, rounded, safeToRetry, stepNames, waitingFor } from './words.ts'

export interface Currency {
  readonly code: string
  readonly decimals: number
}

interface BlocksProps {
  readonly of: UseQueryResult<Explanation>
  /** What stands before all else, once it is known. */
  readonly first?: (explanation: Explanation) => ReactNode
  /** Explanations name currencies by their codes; the page knows how many decimals each has. */
  readonly currencies: readonly Currency[]
}

/** Who must do something now, until when, and whether it may be tried again. */
export function Waiting({ of }: { readonly of: Explanation | undefined }) {
  if (!of) return null
  const { status, next } = of
  const { answer, why } = status.safeToRetry
  return (
    <>
      <p className={status.overdue ? 'overdue' : 'muted'}>
        {waitingFor[status.waitingFor]}
        {status.paused && (
          <>
            {' '}
            {rich(
              'Payouts are paused ({reason}): Corridor has handed no payments to the rail since <at></at>.',
              {
                reason: pauseReasons[status.paused.reasonCode],
                at: () => <Moment key="at" at={status.paused?.since} />,
              },
            )}
          </>
        )}
        {status.expectedBy && (
          <>
            {' '}
            {status.overdue
              ? rich('It has been overdue since <at></at>.', { at: () => <Moment at={status.expectedBy} /> })
              : rich('Expected by <at></at>.', { at: () => <Moment at={status.expectedBy} /> })}
          </>
        )}{' '}
        {t('Safe to retry: {answer} – {why}.', { answer: safeToRetry[answer], why })}
      </p>
      {next
        .filter(({ doNow }) => doNow !== undefined)
        .map(({ doNow }) => (
          <p key={doNow} className="muted">
            {rich('Next request: <request></request>', { request: () => <code>{doNow}</code> })}
          </p>
        ))}
    </>
  )
}

/** Each amount with its formula, the postings, what happened when and what was checked. */
export function ExplanationBlocks({ of, currencies, first }: BlocksProps) {
  if (of.isPending) {
    return (
      <Part title={t('Derivation')}>
        <Loading />
      </Part>
    )
  }
  if (!of.data) {
    return (
      <Part title={t('Derivation')}>
        <Trouble error={of.error} onRetry={() => void of.refetch()} />
      </Part>
    )
  }
  const { derivation, journals, timeline, checks, unknown } = of.data
  return (
    <>
      <Anchor />
      {first?.(of.data)}
      {derivation.length > 0 && <Derivation of={of.data} currencies={currencies} />}
      <Checks checks={checks} unknown={unknown} />
      {journals.length > 0 && <Postings of={of.data} currencies={currencies} />}
      <Balances of={of.data} currencies={currencies} />
      {timeline.length > 0 && <Timeline of={of.data} />}
    </>
  )
}

function Anchor() {
  const anchor = useExplanationAnchor()
  return <div ref={anchor} id={explanationId} className="anchor" tabIndex={-1} />
}

type Amount = Explanation['derivation'][number]['result']

/** An amount of an explanation, whose digits stay exact. */
export function amountText({ amount, currency }: Amount, currencies: readonly Currency[]): string {
  const known = currencies.find(({ code }) => code === currency)
  return known
    ? textOf({ amount: BigInt(amount), currency: known })
    : t('{amount} of the smallest {currency}', { amount, currency })
}

interface BlockProps {
  readonly of: Explanation
  readonly currencies: readonly Currency[]
}

function Derivation({ of, currencies }: BlockProps) {
  const { derivation, rate } = of
  return (
    <Part title={t('Derivation')} id="derivation">
      <Scrolled label={t('Derivation')}>
        <table className="derivation">
          <thead>
            <tr>
              <th scope="col">{t('Step')}</th>
              <th scope="col">{t('How')}</th>
              <th scope="col" className="amount">
                {t('Amount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {derivation.map((step) => (
              <tr key={step.name} className={step.result.amount === '0' ? 'none' : undefined}>
                <th scope="row" title={step.rule}>
                  {step.step} {stepNames[step.name] ?? step.name}
                </th>
                <td>
                  {step.formula === step.name ? (
                    step.rule
                  ) : (
                    <>
                      <code title={step.formula}>
                        {filledIn(step)} = {step.exact}
                      </code>{' '}
                      {step.exact !== step.result.amount && rounded[step.rounding](step.result.amount)}
                      {step.residue && (
                        <>
                          ,{' '}
                          {rich('{residue} stays with <account></account>', {
                            residue: step.residue.exact,
                            account: () => <code>{step.residue?.goesTo}</code>,
                          })}
                        </>
                      )}
                    </>
                  )}
                </td>
                <td className="amount money">{amountText(step.result, currencies)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {rate && (
        <p className="muted">
          {rich(
            'Rate <exact></exact> (receiving minor units per sending minor unit), from {source}; locked <locked></locked> until <until></until>.',
            {
              exact: () => <code>{rate.exact}</code>,
              source: rate.source,
              locked: () => <Moment at={rate.lockedAt} />,
              until: () => <Moment at={rate.expiresAt} />,
            },
          )}
        </p>
      )}
    </Part>
  )
}

/** The formula with its figures in minor units: `sending × serviceRate` → `100000 × 1/200`. */
function filledIn({ formula, inputs }: Explanation['derivation'][number]): string {
  return formula.replaceAll(/[A-Za-z]+/g, (name) => inputs[name] ?? name)
}

function Checks({ checks, unknown }: Pick<Explanation, 'checks' | 'unknown'>) {
  if (checks.length === 0 && unknown.length === 0) return null
  return (
    <Part title={checks.length > 0 ? t('Checks') : t('Unknown details')} id="checks">
      <ul className="checks">
        {checks.map(({ name, holds }) => (
          <li key={name}>
            <span className={`status ${holds ? 'ok' : 'bad'}`}>
              <Icon name={holds ? 'done' : 'failed'} /> {holds ? t('Holds') : t('Does not hold')}
            </span>{' '}
            {name}
          </li>
        ))}
        {unknown.map((text) => (
          <li key={text} className="muted">
            {t('Not stored: {what}.', { what: text })}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Postings({ of, currencies }: BlockProps) {
  return (
    <Part title={t('Postings')} id="posted">
      <Scrolled label={t('Postings')} id={postingsId} isStacked>
        <table className="postings">
          <thead>
            <tr>
              <th scope="col">{t('From')}</th>
              <th scope="col">{t('To')}</th>
              <th scope="col" className="amount">
                {t('Amount')}
              </th>
            </tr>
          </thead>
          {of.journals.map((journal) => (
            <tbody key={journal.id}>
              <tr>
                <th scope="rowgroup" colSpan={3}>
                  <Step of={journal.step} /> <Moment at={journal.at} />
                </th>
              </tr>
              {journal.postings.map(({ from, to, value, why, kind }, index) => (
                <tr key={index} title={why}>
                  <td data-of={t('From')}>
                    <LedgerAccount of={from} />
                  </td>
                  <td data-of={t('To')}>
                    <LedgerAccount of={to} />
                  </td>
                  <td className="amount">
                    {kind !== 'POSTED' && <span className="muted">{postingKinds[kind]} </span>}
                    <span className="money">{amountText(value, currencies)}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </Scrolled>
    </Part>
  )
}

/** A ledger account: its kind, and whose it is as a link. */
export function LedgerAccount({ of }: { readonly of: string }) {
  const [, kind, owner = '', currency] = /^(\w+):(\w+:[0-9a-f-]{36})(?::(\w+))?$/.exec(of) ?? []
  if (placeOf(owner) === undefined) return <code>{of}</code>
  return (
    <>
      <code>{kind}</code> <Id id={owner} short /> {currency && <code>{currency}</code>}
    </>
  )
}
