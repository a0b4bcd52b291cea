import { Facts } from '../../parts/facts.tsx'

interface Instructions {
  readonly instructionsNotes?: string | null
  readonly accountOrWalletInfo: object
}

/** Where money is to be sent for an account to have it: one list for each way. */
export function Coordinates({ of }: { readonly of: readonly Instructions[] }) {
  return of.map(({ accountOrWalletInfo, instructionsNotes }, index) => (
    <div className="part" key={index}>
      {instructionsNotes && <p>{instructionsNotes}</p>}
      <Facts
        of={rowsOf(accountOrWalletInfo).map(([name, value]) => [
          name,
          <span className="id" key={name}>
            {value}
          </span>,
        ])}
      />
    </div>
  ))
}

/** Each text of the coordinates with its name in words; what lies deeper is named after what it lies in. */
export function rowsOf(info: object, inside = ''): readonly (readonly [name: string, value: string])[] {
  return Object.entries(info).flatMap(([field, value]: [string, unknown]) => {
    const name = `${inside} ${field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`.trim()
    if (value === null || value === undefined) return []
    if (Array.isArray(value)) return [[titled(name), value.map(String).join(', ')] as const]
    return typeof value === 'object' ? rowsOf(value, name) : [[titled(name), String(value)] as const]
  })
}

const titled = (name: string) => name[0]!.toUpperCase() + name.slice(1)
