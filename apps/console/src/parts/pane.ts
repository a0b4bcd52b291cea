import { createContext, useContext } from 'react'

export interface Pane {
  /** Of what is shown in it. */
  readonly id: string
  /** There is no room for its list. */
  readonly isAlone: boolean
}

/** Whether a page is drawn beside the list that it was opened from, and of what. */
export const PaneContext = createContext<Pane | undefined>(undefined)

export const usePane = () => useContext(PaneContext)
