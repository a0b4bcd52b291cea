import { Facts } from '../../parts/facts.tsx'
import { rowsOf } from './coordinate-names.ts'

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
