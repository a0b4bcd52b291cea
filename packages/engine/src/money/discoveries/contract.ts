import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { countryCode, currencyCode, repeatable } from '../../vocabulary/shapes.ts'

export const Institution = Type.Object(
  {
    bankName: Type.String({ description: 'Use this exact value as bankName of an account.' }),
    displayName: Type.String({ description: 'Name to display.' }),
    country: countryCode(),
    currency: currencyCode(),
  },
  { $id: 'Discovery' },
)
export type Institution = Static<typeof Institution>

export const getDiscoveries = operation({
  id: 'getDiscoveries',
  method: 'GET',
  path: '/discoveries',
  tag: 'Discoveries',
  summary: 'List banks and mobile money providers',
  description: 'Returns all institutions on one page, sorted by country and name.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    country: Type.Optional(
      repeatable(Type.String({ pattern: '^[A-Za-z]{2}$', description: 'ISO 3166-1 alpha-2.' })),
    ),
    currency: Type.Optional(repeatable(Type.String({ pattern: '^[A-Za-z]{3}$', description: 'ISO 4217.' }))),
  }),
  responses: { 200: Type.Object({ data: Type.Array(Institution) }, { $id: 'DiscoveryListResponse' }) },
  errors: [],
})
