/**
 * Why something about a person is kept although the person is erased. A column is kept for one of these reasons or not
 * at all.
 */
export const keptReasons = {
  /** Ids of ours and of the platform, which name nobody by themselves: records that have to be kept refer to them. */
  REFERENCE: 'ids without a name, which records that the law demands refer to (GDPR, article 17(3)(b))',
  /** Accounting and anti-money-laundering law ask for records of payments for years. */
  PAYMENT: 'records of payments, kept for accounting and anti-money-laundering law (GDPR, article 17(3)(b))',
  /** Anti-money-laundering law asks for evidence that customers were checked. */
  DILIGENCE: 'evidence of due diligence, kept for anti-money-laundering law (GDPR, article 17(3)(b))',
  /** Who did what, so that access to personal data can be accounted for. */
  RECORD:
    'the record of who did what, for accountability and legal claims (GDPR, articles 5(2) and 17(3)(e))',
  /** Of people who run the installation or a platform, and of no customer. */
  STAFF: 'people who run the installation or a platform, who are no customers (GDPR, article 6(1)(f))',
  /** Gone by itself within days, once what it is for is done. */
  PASSING: 'gone by itself once its work is done, within days',
} as const
export type KeptReason = keyof typeof keptReasons

/**
 * Columns by what they say about people; part of a JSON column as `column.member`. Those of `everywhere` need not be named. A
 * test fails for a column that no list names, and for one of `erased` that outlives the erasure of its customer.
 */
export interface ColumnClasses {
  /** About a customer: gone once the customer is erased. */
  readonly erased?: readonly string[]
  /** About a customer, sealed with the customer's own key: nobody can read it once the customer is erased. */
  readonly sealed?: readonly string[]
  /** About a person, and kept for a reason. */
  readonly kept?: Readonly<Partial<Record<KeptReason, readonly string[]>>>
  /** About nobody. */
  readonly plain?: readonly string[]
}

/** The classes of columns, by table. */
export type PersonalData = Readonly<Record<string, ColumnClasses>>

/** Which row of which book, and when it was made and changed: of any table about nobody by itself. */
export const everywhere = ['platform_id', 'environment', 'id', 'version', 'created_at', 'updated_at'] as const
