import { type KeyboardEvent, useRef, useState } from 'react'
import { placeOf } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { exactRateOf } from '../../parts/exact-rate.ts'
import { postingsId } from '../../parts/explanation/anchor.tsx'
import { amountText, type Currency, LedgerAccount } from '../../parts/explanation/explanation.tsx'
import type { Explanation } from '../../parts/explanation/use-explanation.ts'
import { Id } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Scrolled } from '../../parts/scrolled.tsx'
import { Step } from '../../parts/step.tsx'
import {
  type Flow,
  type FlowFacts,
  flowBox,
  flowOf,
  neighbourOf,
  nodeOf,
  shortDetail,
  squeezedTo,
} from './flow.ts'

interface FlowProps {
  readonly of: Explanation
  readonly currencies: readonly Currency[]
  /** The rail that was to deliver it and did not. */
  readonly refused: FlowFacts['refused']
}

/**
 * Where the money went, from account to account. Arrow keys walk the accounts, and what was posted to the one that has the
 * focus stands below; the same as text before it, and as a table behind it.
 */
export function FlowGraph({ of, currencies, refused }: FlowProps) {
  const [sending, receiving] = currencies
  const rate = of.rate && sending && receiving && exactRateOf(of.rate.exact, sending, receiving)
  const amount = (value: { readonly amount: bigint | string; readonly currency: string }) =>
    amountText({ amount: String(value.amount), currency: value.currency }, currencies)
  const flow = flowOf(of.journals, { rate, refused, amount })
  const [chosen, setChosen] = useState<string>()
  const box = useRef<SVGSVGElement>(null)
  if (!flow) return null
  const here = flow.nodes.find(({ id }) => id === chosen) ?? flow.nodes[0]!
  const walk = (event: KeyboardEvent) => {
    const next = neighbourOf(flow, here.id, event.key)
    if (!next) return
    event.preventDefault()
    setChosen(next)
    box.current
      ?.querySelectorAll<SVGGElement>('.node')
      [flow.nodes.findIndex(({ id }) => id === next)]?.focus()
  }
  return (
    <Part title={t('Flow')} id="flow">
      <figure className="flow-figure">
        <figcaption className="muted">{summaryOf(flow, rate, amount)}</figcaption>
        <div className="scroll">
          {/* biome-ignore lint/a11y/useSemanticElements: a picture is no field of a form */}
          <svg
            ref={box}
            className="flow-graph"
            width={flow.width}
            height={flow.height}
            viewBox={`0 0 ${flow.width} ${flow.height}`}
            style={{ minWidth: Math.ceil(flow.width * 0.94) }}
            role="group"
            aria-label={t('Accounts that the money passed through; use the arrow keys to move between them')}
          >
            <defs>
              <marker
                id="flow-arrow"
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="9"
                markerHeight="9"
                markerUnits="userSpaceOnUse"
                orient="auto"
              >
                <path d="M0 0L8 4L0 8Z" />
              </marker>
            </defs>
            {flow.edges.map((edge) => (
              <g key={edge.key} className={edgeClass(edge, here.id)}>
                <path d={edge.path} markerEnd={edge.broken ? undefined : 'url(#flow-arrow)'} />
              </g>
            ))}
            {/* After all lines: none runs through an amount. */}
            {flow.edges.map((edge) => (
              <g key={edge.key} className={edgeClass(edge, here.id)}>
                <text x={edge.labelX} y={edge.labelY} textAnchor={edge.anchor}>
                  {edge.text}
                </text>
                {edge.broken && (
                  <text className="break" x={edge.labelX} y={edge.labelY + 18} textAnchor={edge.anchor}>
                    ╳ {edge.broken}
                  </text>
                )}
              </g>
            ))}
            {flow.nodes.map((node) => (
              // biome-ignore lint/a11y/useSemanticElements: no HTML element stands in a picture
              <g
                key={node.id}
                className={nodeClass(node, here.id)}
                role="button"
                tabIndex={node.id === here.id ? 0 : -1}
                aria-pressed={node.id === here.id}
                aria-label={t('{account}, {count, plural, one {# posting} other {# postings}}', {
                  account: `${node.label} ${node.detail}`,
                  count: node.postings.length,
                })}
                onClick={() => setChosen(node.id)}
                onFocus={() => setChosen(node.id)}
                onKeyDown={walk}
              >
                <title>{node.postings.length > 0 ? node.id : `${node.label} ${node.detail}`}</title>
                <rect x={node.x} y={node.y} width={flowBox.width} height={flowBox.height} rx="4" />
                <text x={node.x + flowBox.width / 2} y={node.y + 18} textAnchor="middle">
                  {node.label}
                </text>
                <text
                  className="detail"
                  x={node.x + flowBox.width / 2}
                  y={node.y + 35}
                  textAnchor="middle"
                  {...squeezedTo(node.detail)}
                >
                  {shortDetail(node.detail)}
                </text>
              </g>
            ))}
          </svg>
        </div>
      </figure>
      <div className="flow-node" aria-live="polite">
        <h3>
          {here.label} <Owner of={here.id} /> {here.id === 'fx' && rate}
        </h3>
        {here.postings.length === 0 && (
          <p>{t('Nothing was posted here, because it was {why}.', { why: refused!.said })}</p>
        )}
        <ul>
          {here.postings.map((posting, index) => {
            const isIn = nodeOf(posting.to) === here.id
            return (
              <li key={`${posting.journal} ${index}`}>
                <span className="muted">
                  <Step of={posting.step} />
                </span>{' '}
                <Moved isIn={isIn} amount={amount(posting.value)} by={isIn ? posting.from : posting.to} />
                {posting.kind === 'PENDING' && <span className="muted"> {t('held')}</span>}
              </li>
            )
          })}
        </ul>
        <p>
          <button type="button" className="quiet" onClick={toTable}>
            {t('All postings as a table')}
          </button>
        </p>
      </div>
      <Twin of={flow} rate={rate} amount={amount} />
    </Part>
  )
}

function Moved(moved: { readonly isIn: boolean; readonly amount: string; readonly by: string }) {
  const parts = {
    amount: () => <span className="money">{moved.amount}</span>,
    account: () => <LedgerAccount of={moved.by} />,
  }
  return moved.isIn
    ? rich('<amount></amount> from <account></account>', parts)
    : rich('<amount></amount> to <account></account>', parts)
}

/** The table stands further down, in a region that takes the focus. */
function toTable(): void {
  document.getElementById(postingsId)?.focus()
}

function Owner({ of }: { readonly of: string }) {
  const owner = of.slice(of.indexOf(':') + 1)
  return placeOf(owner) === undefined ? <LedgerAccount of={of} /> : <Id id={owner} short />
}

function edgeClass({ from, to, isHeld, broken }: Flow['edges'][number], here: string): string {
  return ['edge', isHeld && 'held', broken && 'broken', (from === here || to === here) && 'now']
    .filter(Boolean)
    .join(' ')
}

const nodeClass = ({ id, postings }: Flow['nodes'][number], here: string) =>
  ['node', postings.length === 0 && 'unreached', id === here && 'now'].filter(Boolean).join(' ')

type AmountOf = (value: { readonly amount: bigint; readonly currency: string }) => string

function nameIn({ nodes }: Flow, id: string): string {
  const { label, detail } = nodes.find((node) => node.id === id)!
  // Its rate is said where it changes something.
  return id === 'fx' || detail === '' ? label.replace('◆ ', '') : `${label} ${detail}`
}

/** What is to be said of an edge besides who gave how much to whom. */
function noteOf({ from, isHeld, broken, said }: Flow['edges'][number], rate: string | undefined) {
  if (isHeld) return t('held')
  // Back again it is undone, at no rate.
  return broken ?? said ?? (from === 'fx' ? rate : undefined)
}

/** The same in a sentence, for who does not see the picture. */
function summaryOf(flow: Flow, rate: string | undefined, amount: AmountOf): string {
  const steps = flow.edges.slice(0, 20).map((edge) => {
    const said = { amount: amount(edge), from: nameIn(flow, edge.from), to: nameIn(flow, edge.to) }
    const note = noteOf(edge, rate)
    if (note === undefined) return t('{amount} from {from} to {to}', said)
    return note === rate
      ? t('{amount} from {from} to {to} (at {rate})', { ...said, rate })
      : t('{amount} from {from} to {to} ({note})', { ...said, note })
  })
  const left = flow.edges.length - steps.length
  return `${[...steps, ...(left > 0 ? [t('and {left} more', { left })] : [])].join('; ')}.`
}

interface TwinProps {
  readonly of: Flow
  readonly rate: string | undefined
  readonly amount: AmountOf
}

/** All that the picture shows, in rows. */
function Twin({ of, rate, amount }: TwinProps) {
  const title = t('The picture as a table')
  return (
    <details className="twin">
      <summary>{title}</summary>
      <Scrolled label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('From')}</th>
              <th scope="col">{t('To')}</th>
              <th scope="col" className="amount">
                {t('Amount')}
              </th>
              <th scope="col">{t('What of it')}</th>
            </tr>
          </thead>
          <tbody>
            {of.edges.map((edge) => (
              <tr key={edge.key}>
                <td>{nameIn(of, edge.from)}</td>
                <td>{nameIn(of, edge.to)}</td>
                <td className="amount money">{amount(edge)}</td>
                <td>{noteOf(edge, rate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </details>
  )
}
