import { Component, type ReactNode } from 'react'
import { words } from '../words.ts'

interface ContainedProps {
  readonly children: ReactNode
}

interface State {
  readonly isBroken: boolean
  readonly error?: unknown
}

/** What fails to be drawn here takes nothing else of the page with it. */
export class Contained extends Component<ContainedProps, State> {
  override state: State = { isBroken: false }

  static getDerivedStateFromError(error: unknown): State {
    return { isBroken: true, error }
  }

  override render() {
    const { isBroken, error } = this.state
    if (!isBroken) return this.props.children
    const retry = () => this.setState({ isBroken: false })
    return <Broken title={words.states.broken} error={error} onRetry={retry} />
  }
}

/** With what went wrong, for who reports it, and another try. */
export function Broken({
  title,
  error,
  onRetry,
}: {
  readonly title: string
  readonly error: unknown
  readonly onRetry: () => void
}) {
  return (
    <div className="trouble" role="alert">
      <p>
        <strong>{title}</strong>
      </p>
      <p className="muted">{error instanceof Error ? error.message : String(error)}</p>
      <div className="acts">
        <button type="button" onClick={onRetry}>
          {words.states.retry}
        </button>
      </div>
    </div>
  )
}
