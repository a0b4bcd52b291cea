import { useEffect } from 'react'
import { t } from '../language/t.ts'
import type { Missing } from './console-api.ts'
import { Go } from './places.tsx'
import { type Looked, placeNameOf, useSessions } from './session.tsx'
import { inWorld } from './world-switch.tsx'

/** In place of all pages of a fork that is not there: why, and the way to the main world. */
export function MissingWorld({
  asked,
  why,
}: {
  readonly asked: Looked
  readonly why: Missing | 'NOT_COPIED'
}) {
  const { lookInto } = useSessions()
  const { platform, environment, world = '' } = asked
  const main = { platform, environment }
  const title = t('Sandbox or fork not found')
  useEffect(() => {
    document.title = `${title} · Corridor`
  }, [title])
  const sentences = {
    NO_WORLD: t(
      'There is no fork {world}. It may have been removed: forks without requests are removed after a day.',
      { world },
    ),
    NO_PLATFORM: t(
      'The fork {world} has no platform {platform}: it was copied before that platform existed.',
      { world, platform },
    ),
    NOT_COPIED: t('Production has no copies, so it has no fork {world}.', { world }),
  }
  return (
    <>
      <h1>{title}</h1>
      <p role="alert">{sentences[why]}</p>
      <Go className="main" to={inWorld(main)}>
        {t('Go to {name}', { name: placeNameOf(main) })}
      </Go>
      {why !== 'NOT_COPIED' && (
        <button type="button" onClick={() => lookInto(asked)}>
          {t('Look again')}
        </button>
      )}
    </>
  )
}
