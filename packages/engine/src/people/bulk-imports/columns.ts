import type { FieldError } from '@corridor/kernel'
import { hasPostalCodes } from '../../reference/addresses/index.ts'

/** The columns of a customer file and what they mean (customers 6.1). */

const requiredByAll = ['umaAddress', 'platformCustomerId', 'customerType'] as const
const address = ['addressLine1', 'city', 'state', 'postalCode', 'country'] as const

/** Columns that every file has, in whatever order. The others are asked of the rows that need them. */
export const requiredColumns: readonly string[] = [...requiredByAll, ...address]

const requiredByType: Readonly<Record<string, readonly string[]>> = {
  INDIVIDUAL: ['fullName', 'birthDate'],
  BUSINESS: ['businessLegalName'],
}

/** Where the columns stand in the body of a single creation; errors are named after the column. */
const columnByField: Readonly<Record<string, string>> = {
  'address.line1': 'addressLine1',
  'address.line2': 'addressLine2',
  'address.city': 'city',
  'address.state': 'state',
  'address.postalCode': 'postalCode',
  'address.country': 'country',
  'businessInfo.country': 'country',
  'businessInfo.legalName': 'businessLegalName',
  'businessInfo.registrationNumber': 'businessRegistrationNumber',
  'businessInfo.taxId': 'businessTaxId',
}

/** A row by column name, without blanks around its cells; blank cells are left out. */
export type Row = Readonly<Record<string, string>>

export function toRow(header: readonly string[], cells: readonly string[]): Row {
  const row: Record<string, string> = Object.create(null)
  for (const [index, column] of header.entries()) {
    const cell = (cells[index] ?? '').trim()
    if (cell !== '') row[column] = cell
  }
  return row
}

/** Cells that a row of its type must fill. */
export function missingCells(row: Row): FieldError[] {
  const required = [...requiredColumns, ...(requiredByType[row.customerType ?? ''] ?? [])]
  return required
    .filter((column) => row[column] === undefined && (column !== 'postalCode' || hasPostalCodes(row.country)))
    .map((column) => ({ field: column, message: 'is required' }))
}

/** The row as a request to create one customer. */
export function toRequest(row: Row): Record<string, unknown> {
  const { umaAddress, platformCustomerId, customerType, country } = row
  const common = {
    customerType,
    platformCustomerId,
    umaAddress: umaAddress === undefined || umaAddress.startsWith('$') ? umaAddress : `$${umaAddress}`,
    address: withoutBlanks({
      line1: row.addressLine1,
      line2: row.addressLine2,
      city: row.city,
      state: row.state,
      postalCode: row.postalCode,
      country,
    }),
  }
  if (customerType !== 'BUSINESS') {
    const { fullName, birthDate, email } = row
    return withoutBlanks({ ...common, fullName, birthDate, email })
  }
  const businessInfo = withoutBlanks({
    legalName: row.businessLegalName,
    registrationNumber: row.businessRegistrationNumber,
    taxId: row.businessTaxId,
    country,
  })
  return withoutBlanks({ ...common, businessInfo })
}

/** What a file may tell besides; it is kept with the customer (customers 6.1). */
export function importedOf({ platformAccountId, description }: Row) {
  if (platformAccountId === undefined && description === undefined) return null
  return withoutBlanks({ platformAccountId, description })
}

function withoutBlanks<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** Errors of the request, named after the columns; one per column. */
export function byColumn<E extends FieldError>(errors: readonly E[]): E[] {
  const named = new Map<string, E>()
  for (const error of errors) {
    const field = columnByField[error.field] ?? error.field
    if (!named.has(field)) named.set(field, { ...error, field })
  }
  return [...named.values()]
}

/** What the platform knows the row by (customers 6.2). `position` counts the data rows from 1. */
export function correlationIdOf(row: Row, position: number): string {
  return row.platformCustomerId ?? `row_${position}`
}
