import type { Item } from '@corridor/sdk/index.ts'
import { useEffect, useState } from 'react'
import type { Session } from './session.tsx'

export type Match = Item<'search'>

export interface Found {
  readonly matches: readonly Match[]
  /** The answer to what is typed now has not come yet. */
  readonly isAsking: boolean
  readonly error: unknown
}

/** As long nobody types before it is asked: not for each letter. */
const pauseMs = 150
const longestText = 200

const nothing: Found = { matches: [], isAsking: false, error: undefined }

/**
 * What the API finds for a text, asked a moment after the last letter. What was asked for a text of before is given up, and
 * its answer is nowhere shown. Without a session nothing is asked.
 */
export function useSearch(session: Session | undefined, text: string): Found {
  const [answer, setAnswer] = useState<{ readonly text: string } & Found>()
  const isAsked = session !== undefined && text !== ''
  useEffect(() => {
    if (!isAsked) return
    const ending = new AbortController()
    const { signal } = ending
    const tell = (found: Partial<Found>) => {
      if (!signal.aborted) setAnswer({ ...nothing, ...found, text })
    }
    const { corridor } = session
    const pause = setTimeout(() => {
      const asking = corridor.search({ q: text.slice(0, longestText) }, { signal, maxRetries: 0 })
      asking.then(({ data }) => tell({ matches: data })).then(undefined, (error: unknown) => tell({ error }))
    }, pauseMs)
    return () => {
      clearTimeout(pause)
      ending.abort()
    }
  }, [isAsked, session, text])
  if (!isAsked) return nothing
  return answer?.text === text ? answer : { ...nothing, isAsking: true }
}
