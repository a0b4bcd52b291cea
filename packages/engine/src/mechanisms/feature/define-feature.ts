import type { IdKind, Machine } from '@corridor/kernel'
import type { DeleteTable, GuardedTable, InsertTable } from '../../vocabulary/decision.ts'
import type { Operation } from '../../vocabulary/operation.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import type { Statement } from '../../vocabulary/statement.ts'
import type { Webhook } from '../../vocabulary/webhook.ts'
import type { LedgerAccountKind } from '../ledger/chart.ts'
import type { Retention } from '../retention/retention.ts'
import type { AnswerHandler, HostedPage, JobHandler, PlainPage, Route, Sweep } from './bound.ts'

/** All that the rest of the program learns of a feature; it stands in the feature's `feature.ts`. */
export interface Feature {
  /** That of its folder. */
  readonly name: string
  /** Its endpoints; what is not here does not exist. In the order of the reference. */
  readonly routes?: readonly Route[]
  readonly operations: readonly Operation[]
  readonly jobs?: readonly JobHandler[]
  /** What falls due without a job row of its own. */
  readonly sweeps?: readonly Sweep[]
  /** Who takes the answers to events that ask something. */
  readonly answers?: readonly AnswerHandler[]
  /** Families of events that platforms are told. */
  readonly events?: readonly Webhook[]
  /** How its resources may change; printed in the reference. */
  readonly machines?: readonly Machine[]
  /** Tables that it alone writes, besides by name in `erasure`. */
  readonly tables?: {
    readonly guarded?: readonly GuardedTable[]
    readonly inserted?: readonly InsertTable[]
    readonly deleted?: readonly DeleteTable[]
  }
  /** What each column of its tables says about people. */
  readonly personalData?: PersonalData
  readonly idKinds?: readonly IdKind[]
  /** Prefixes of the chart of accounts (mechanisms/ledger/chart.ts) that are this feature's business. */
  readonly ledgerAccounts?: readonly LedgerAccountKind[]
  /** Pages beside the API, open to everybody. */
  readonly plainPages?: readonly PlainPage[]
  readonly hostedPages?: readonly HostedPage[]
  /**
   * What makes a customer's data in its tables unreadable: `$1` platform, `$2` environment, `$3` the customer,
   * and, where the text names it, `$4` the time.
   */
  readonly erasure?: readonly Statement[]
  /** What of its tables goes by itself after a time. */
  readonly retention?: readonly Retention[]
}

/** Declares a feature. Its operations are those of its routes, so that none is described and not served. */
export function defineFeature(feature: Omit<Feature, 'operations'>): Feature {
  return { ...feature, operations: (feature.routes ?? []).map(({ operation }) => operation) }
}
