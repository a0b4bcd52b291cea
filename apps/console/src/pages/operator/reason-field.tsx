import { words } from '../../words.ts'

interface ReasonFieldProps {
  readonly reason: string
  readonly onChange: (reason: string) => void
}

/** The reason of an operator's decision, which the audit log keeps. */
export function ReasonField({ reason, onChange }: ReasonFieldProps) {
  return (
    <label>
      <span>{words.operator.reason}</span>
      <input
        name="reason"
        value={reason}
        maxLength={500}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
