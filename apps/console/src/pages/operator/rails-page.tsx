import { Go, useView } from '../../app/places.tsx'
import { t } from '../../language/t.ts'
import { PageHead, Part } from '../../parts/page.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { ageOf } from './ages.ts'
import { useNames } from './names.ts'
import { placeOfBook, type RailUnderWay } from './operator-api.ts'
import { PauseForm } from './pause-form.tsx'
import { PauseLine, Pauses } from './pauses.tsx'
import { expectedOf, useRails } from './rails.ts'

/** What is under way on each rail, what is stuck, and what an operator holds back there. */
export function RailsPage() {
  const rails = useRails()
  const [view, change] = useView()
  const target = view.get('pause')
  return (
    <>
      <PageHead title={words.operator.rails} />
      {rails.isPending && <Loading />}
      {rails.isError && <Trouble error={rails.error} onRetry={() => void rails.refetch()} />}
      {rails.data && (
        <>
          <PauseForm key={target ?? ''} rails={rails.data.data} />
          <Pauses />
          <Part title={t('Rails')}>
            <Board rails={rails.data.data} onPause={(pause) => change({ pause })} />
          </Part>
        </>
      )}
    </>
  )
}

interface BoardProps {
  readonly rails: readonly RailUnderWay[]
  readonly onPause: (target: string) => void
}

function Board({ rails, onPause }: BoardProps) {
  const used = rails
    .filter(({ underWay, pauses }) => underWay > 0 || pauses.length > 0)
    .sort((a, b) => b.stuck - a.stuck || b.underWay - a.underWay)
  if (used.length === 0) return <Nothing title={t('No payments in progress on any rail, and no pauses.')} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the keys
    <section className="scroll stacked" aria-label={t('Rails')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Rail')}</th>
            <th scope="col">{t('Under way')}</th>
            <th scope="col">{t('Stuck')}</th>
            <th scope="col">{t('Held back')}</th>
            <th scope="col">{t('The oldest')}</th>
            <th scope="col">{t('Expected')}</th>
            <th scope="col">{t('Paused')}</th>
          </tr>
        </thead>
        <tbody>
          {used.map((rail) => (
            <tr key={`${rail.environment} ${rail.rail}`}>
              <td>
                <strong>{rail.rail}</strong> {rail.environment}{' '}
                {!rail.pauses.some(({ platformId }) => platformId === undefined) && (
                  <button type="button" onClick={() => onPause(`${rail.environment} ${rail.rail}`)}>
                    {t('Pause {rail}…', { rail: rail.rail })}
                  </button>
                )}
              </td>
              <td data-of={t('Under way')}>
                {rail.underWay}
                <OfPlatforms rail={rail} />
              </td>
              <td data-of={t('Stuck')}>{rail.stuck > 0 ? <strong>{rail.stuck}</strong> : 0}</td>
              <td data-of={t('Held back')}>{rail.held}</td>
              <td data-of={t('The oldest')}>
                {rail.oldestSeconds === undefined ? '—' : ageOf(rail.oldestSeconds)}
              </td>
              <td data-of={t('Expected')}>{expectedOf(rail)}</td>
              <td data-of={t('Paused')}>
                {rail.pauses.length === 0
                  ? '—'
                  : rail.pauses.map((pause) => <PauseLine key={pause.id} pause={pause} />)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const shownPlatforms = 3

/** Whose they are, each with the way to them. */
function OfPlatforms({ rail: { rail, environment, platforms } }: { readonly rail: RailUnderWay }) {
  const nameOf = useNames()
  if (platforms.length === 0) return null
  const named = platforms.slice(0, shownPlatforms)
  const more = platforms.length - named.length
  const placeOf = (platformId: string, query: string) =>
    `${placeOfBook({ platformId, environment })}/payments?${query}&paymentRail=${encodeURIComponent(rail)}`
  return (
    <span className="acts">
      {named.map(({ platformId, underWay, stuck }) => (
        <span key={platformId}>
          <Go to={placeOf(platformId, 'status=PROCESSING')}>
            {t('{name} {count}', { name: nameOf({ platformId }), count: `${underWay}` })}
          </Go>
          {stuck > 0 && (
            <>
              {' '}
              <Go to={placeOf(platformId, 'isStuck=true')}>{t('stuck {count}', { count: `${stuck}` })}</Go>
            </>
          )}
        </span>
      ))}
      {more > 0 && <span className="muted">{t('and {more} more', { more })}</span>}
    </span>
  )
}
