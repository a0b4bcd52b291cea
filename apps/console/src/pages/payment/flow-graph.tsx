import { type KeyboardEvent, useRef, useState } from 'react'
import { placeOf } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { postingsId } from '../../parts/explanation/anchor.tsx'
import { amountText, type Currency, LedgerAccount } from '../../parts/explanation/explanation.tsx'
import type { Explanation } from '../../parts/explanation/use-explanation.ts'
import { Id } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { type Flow, flowBox, flowOf, neighbourOf, nodeOf, shortDetail, squeezedTo } from './flow.ts'

interface FlowProps {
  readonly of: Explanation
  readonly currencies: readonly Currency[]
}

/**
 * Where the money went, from account to account. Arrow keys walk the accounts, and what was posted to the one that has the
 * focus stands below; the same as text before it, and as a table behind it.
 */
export function FlowGraph({ of, currencies }: FlowProps) {
  const flow = flowOf(of.journals)
  const [chosen, setChosen] = useState<string>()
  const box = useRef<SVGSVGElement>(null)
  if (!flow) return null
  const here = flow.nodes.find(({ id }) => id === chosen) ?? flow.nodes[0]!
  const amount = (value: { readonly amount: bigint | string; readonly currency: string }) =>
    amountText({ amount: String(value.amount), currency: value.currency }, currencies)
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
    <Part title={t('Flow')}>
      <figure className="flow-figure">
        <figcaption className="muted">{summaryOf(flow, amount)}</figcaption>
        <div className="scroll">
          {/* biome-ignore lint/a11y/useSemanticElements: a picture is no field of a form */}
          <svg
            ref={box}
            className="flow-graph"
            width={flow.width}
            height={flow.height}
            viewBox={`0 0 ${flow.width} ${flow.height}`}
            role="group"
            aria-label={t('Accounts that the money went through; arrow keys walk them')}
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
                <path d={edge.path} markerEnd="url(#flow-arrow)" />
              </g>
            ))}
            {/* After all lines: none runs through an amount. */}
            {flow.edges.map((edge) => (
              <g key={edge.key} className={edgeClass(edge, here.id)}>
                <text x={edge.labelX} y={edge.labelY} textAnchor="middle">
                  {amount(edge)}
                </text>
              </g>
            ))}
            {flow.nodes.map((node) => (
              // biome-ignore lint/a11y/useSemanticElements: no HTML element stands in a picture
              <g
                key={node.id}
                className={node.id === here.id ? 'node now' : 'node'}
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
                <title>{node.id}</title>
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
          {here.label} <Owner of={here.id} />
        </h3>
        <ul>
          {here.postings.map((posting, index) => {
            const isIn = nodeOf(posting.to) === here.id
            return (
              <li key={`${posting.journal} ${index}`}>
                <span className="muted">{posting.step}</span>{' '}
                <Moved isIn={isIn} amount={amount(posting.value)} by={isIn ? posting.from : posting.to} />
                {posting.kind === 'PENDING' && <span className="muted"> {t('held')}</span>}
              </li>
            )
          })}
        </ul>
        <p>
          <button type="button" className="quiet" onClick={toTable}>
            {t('All of it as a table')}
          </button>
        </p>
      </div>
    </Part>
  )
}

function Moved(moved: { readonly isIn: boolean; readonly amount: string; readonly by: string }) {
  const parts = {
    amount: () => <span className="money">{moved.amount}</span>,
    account: () => <LedgerAccount of={moved.by} />,
  }
  return moved.isIn
    ? rich('took <amount></amount> from <account></account>', parts)
    : rich('gave <amount></amount> to <account></account>', parts)
}

/** The table stands further down, in a region that takes the focus. */
function toTable(): void {
  document.getElementById(postingsId)?.focus()
}

function Owner({ of }: { readonly of: string }) {
  const owner = of.slice(of.indexOf(':') + 1)
  return placeOf(owner) === undefined ? <LedgerAccount of={of} /> : <Id id={owner} short />
}

function edgeClass({ from, to, isHeld }: Flow['edges'][number], here: string): string {
  return ['edge', isHeld && 'held', (from === here || to === here) && 'now'].filter(Boolean).join(' ')
}

/** The same in a sentence, for who does not see the picture. */
function summaryOf(
  { nodes, edges }: Flow,
  amount: (value: { readonly amount: bigint; readonly currency: string }) => string,
): string {
  const label = (id: string) => {
    const { label, detail } = nodes.find((node) => node.id === id)!
    return `${label.replace('◆ ', '')}${detail ? ` ${detail}` : ''}`
  }
  const steps = edges.slice(0, 20).map((edge) => {
    const said = { amount: amount(edge), from: label(edge.from), to: label(edge.to) }
    return edge.isHeld
      ? t('{amount} from {from} to {to} (held)', said)
      : t('{amount} from {from} to {to}', said)
  })
  const left = edges.length - steps.length
  return `${[...steps, ...(left > 0 ? [t('and {left} more', { left })] : [])].join('; ')}.`
}
