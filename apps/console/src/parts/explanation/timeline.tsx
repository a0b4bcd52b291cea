import { Fragment } from 'react'
import { Go } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Id, Moment } from '../facts.tsx'
import { Part } from '../page.tsx'
import { spanOf } from '../until.tsx'
import { ToldOf, toResend } from './told.tsx'
import type { Explanation } from './use-explanation.ts'
import { timelineKinds } from './words.ts'

/** From here on it is told how long nothing happened. */
const idleMs = 1_000

/** What happened when, with what was told of it; how long nothing happened stands between. */
export function Timeline({ of }: { readonly of: Explanation }) {
  const again = toResend(of.webhooks)
  const isShared = sharedSeconds(of.timeline)
  return (
    <Part title={t('Timeline')} id="timeline">
      <ol className="timeline">
        {of.timeline.map(({ at, kind, text, ref, actor, requestId, idempotencyKey }, index) => {
          const told = of.webhooks.find(({ id }) => id === ref)
          const idle = index === 0 ? 0 : Date.parse(at) - Date.parse(of.timeline[index - 1]!.at)
          return (
            <Fragment key={`${ref} ${index}`}>
              {idle >= idleMs && <li className="idle">{t('nothing for {span}', { span: spanOf(idle) })}</li>}
              <li>
                <Moment at={at} isExact={isShared(at)} />
                {told ? (
                  <ToldOf of={told} isByKey={told === again} />
                ) : (
                  <div>
                    {timelineKinds[kind] && <strong className="kind">{timelineKinds[kind]} </strong>}
                    <span>{text}</span>
                    {actor && (
                      <span className="muted">
                        {' '}
                        {rich('by <who></who>', { who: () => <Id id={actor} short /> })}
                      </span>
                    )}
                    {idempotencyKey && (
                      <span className="muted unbroken">
                        {' '}
                        {t('key …{end}', { end: idempotencyKey.slice(-6) })}
                      </span>
                    )}
                    {requestId && (
                      <>
                        {' '}
                        <Go
                          className="id unbroken"
                          to={`requests/${encodeURIComponent(requestId)}`}
                          title={requestId}
                        >
                          {t('request …{end}', { end: requestId.slice(-6) })}
                        </Go>
                      </>
                    )}
                  </div>
                )}
              </li>
            </Fragment>
          )
        })}
      </ol>
    </Part>
  )
}

/** Which moments have their second in common with another: only what is behind it tells them apart. */
function sharedSeconds(timeline: Explanation['timeline']): (at: string) => boolean {
  const secondOf = (at: string) => Math.floor(Date.parse(at) / 1_000)
  const counts = new Map<number, number>()
  for (const { at } of timeline) counts.set(secondOf(at), (counts.get(secondOf(at)) ?? 0) + 1)
  return (at) => counts.get(secondOf(at))! > 1
}
