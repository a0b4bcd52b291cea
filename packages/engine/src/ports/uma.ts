import type { WebhookAnswer } from './adapters.ts'
import type { CallContext } from './call-context.ts'

/** Institutions outside this installation that can be paid by UMA address (cards 5, 6). */
export interface UmaNetwork {
  /** Who is behind an address, asked of the institution that its domain names. */
  resolve(address: UmaName): Promise<UmaResolution>
  /** Somebody of the simulated world who pays when told to (accounts 12.5); real people pay by themselves. */
  simulatedPayer(address: UmaName): SimulatedPayer | undefined
  /** Conducts one exchange with an institution, which `ask` carries out. Absent: the exchange as it is. */
  exchange?<T>(context: UmaExchange, ask: () => Promise<T>): Promise<T | Unanswered>
}

export interface UmaExchange extends CallContext {
  /** A lookup changes nothing at the institution. */
  readonly kind: 'LOOKUP' | 'PAY_REQUEST'
}

/** Corridor got no usable response from the institution. */
export class Unanswered {
  /** HTTP status of the response; undefined: there was none. */
  readonly status: number | undefined
  constructor(status?: number) {
    this.status = status
  }
}

/**
 * Calls to the institutions that the operator lists. Bodies end at 64 KiB, redirects are returned as they are, and private
 * addresses are refused where webhooks refuse them.
 */
export interface PeerTransport {
  get(url: string, timeoutMs: number): Promise<WebhookAnswer>
  /** JSON. */
  post(url: string, body: string, timeoutMs: number): Promise<WebhookAnswer>
}

/** How a simulated payment comes in, and what is known of and asked for by its sender. */
export interface SimulatedPayer {
  readonly information: Readonly<Record<PayerField, string>>
  /** What the sender's institution wants to know of the receiver. */
  readonly asks: UmaReceiver['requiredPayerFields']
  /** From the approval to the money. */
  readonly settlesAfterMs: number
  /** Refused before the platform is asked. */
  readonly isRefused: boolean
}

/** A well-formed UMA address in lower case, taken apart. */
export interface UmaName {
  /** Without the dollar sign. */
  readonly user: string
  readonly domain: string
}

export type UmaResolution =
  | { readonly status: 'FOUND'; readonly receiver: UmaReceiver }
  /** The institution knows no such user. */
  | { readonly status: 'NOT_FOUND' }
  /** The domain is none that may be paid from here. */
  | { readonly status: 'NOT_ALLOWED' }

/** What a receiver can be sent, in the order it prefers, and what it wants to know of the payer. */
export interface UmaReceiver {
  readonly currencies: readonly {
    readonly currency: string
    /** Bounds of one payment, in minor units of this currency. */
    readonly minMinor: bigint
    readonly maxMinor: bigint
  }[]
  readonly requiredPayerFields: readonly {
    readonly name: PayerField
    readonly mandatory: boolean
  }[]
}

/** What an institution may want to know of a payer, in the words of the API. */
export type PayerField =
  | 'FULL_NAME'
  | 'BIRTH_DATE'
  | 'NATIONALITY'
  | 'PHONE_NUMBER'
  | 'EMAIL'
  | 'POSTAL_ADDRESS'
  | 'TAX_ID'
  | 'REGISTRATION_NUMBER'
  | 'USER_TYPE'
  | 'COUNTRY_OF_RESIDENCE'
  | 'ACCOUNT_IDENTIFIER'
  | 'FI_LEGAL_ENTITY_NAME'
  | 'FI_ADDRESS'
  | 'PURPOSE_OF_PAYMENT'
  | 'ULTIMATE_INSTITUTION_COUNTRY'
  | 'IDENTIFIER'
  | 'BUSINESS_TYPE'
  | 'COMPANY_LEGAL_NAME'
  | 'ID_TYPE'
  | 'ID_NUMBER'
