import Type from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { idOf, listOf, paging, repeatable } from '../../vocabulary/shapes.ts'
import {
  BeneficialOwner,
  BeneficialOwnerCreateRequest,
  BeneficialOwnerUpdateRequest,
} from '../person/beneficial-owner-schemas.ts'

export {
  BeneficialOwnerCreateRequest,
  BeneficialOwnerUpdateRequest,
} from '../person/beneficial-owner-schemas.ts'

const tag = 'KYC/KYB Verifications'

export const BeneficialOwnerList = listOf('BeneficialOwnerListResponse', BeneficialOwner)

const ownerPath = Type.Object({ beneficialOwnerId: Type.String() })

export const listBeneficialOwners = operation({
  id: 'listBeneficialOwners',
  method: 'GET',
  path: '/beneficial-owners',
  tag,
  summary: 'List the owners of a business customer',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({ customerId: repeatable(idOf('Customer')), ...paging }),
  responses: { 200: BeneficialOwnerList },
  errors: [],
})

export const createBeneficialOwner = operation({
  id: 'createBeneficialOwner',
  method: 'POST',
  path: '/beneficial-owners',
  tag,
  summary: 'Add an owner to a business customer',
  description:
    'The percentages of owners with the role UBO must not exceed 100 in total. Corridor verifies owners together with their business.',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: BeneficialOwnerCreateRequest,
  responses: { 201: BeneficialOwner },
  errors: ['USER_NOT_FOUND'],
  example: {
    customerId: 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70',
    roles: ['UBO', 'DIRECTOR'],
    ownershipPercentage: 51,
    personalInfo: {
      firstName: 'Jane',
      lastName: 'Smith',
      birthDate: '1978-06-15',
      nationality: 'US',
      address: { line1: '123 Main Street', city: 'San Francisco', postalCode: '94105', country: 'US' },
      idType: 'SSN',
      identifier: '123-45-6789',
    },
  },
})

export const getBeneficialOwner = operation({
  id: 'getBeneficialOwner',
  method: 'GET',
  path: '/beneficial-owners/{beneficialOwnerId}',
  tag,
  summary: 'Read an owner',
  auth: 'basic',
  permissions: ['VIEW'],
  params: ownerPath,
  responses: { 200: BeneficialOwner },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const updateBeneficialOwner = operation({
  id: 'updateBeneficialOwner',
  method: 'PATCH',
  path: '/beneficial-owners/{beneficialOwnerId}',
  tag,
  summary: 'Change an owner',
  description:
    'Merges the fields of personalInfo, and replaces roles and the address. The verification status does not change.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: ownerPath,
  body: BeneficialOwnerUpdateRequest,
  responses: { 200: BeneficialOwner },
  errors: ['REFERENCE_NOT_FOUND'],
})
