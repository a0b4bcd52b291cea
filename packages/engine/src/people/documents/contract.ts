import Type, { type Static } from 'typebox'
import type { UploadedFile } from '../../mechanisms/http/uploads.ts'
import { type Operation, operation } from '../../vocabulary/operation.ts'
import {
  countryCode,
  enumOf,
  extend,
  idOf,
  listOf,
  paging,
  plainText,
  repeatable,
  timestamp,
} from '../../vocabulary/shapes.ts'
import { maxFileBytes } from './file-type.ts'

const tag = 'Documents'

export const DocumentType = enumOf(
  [
    'PASSPORT',
    'DRIVERS_LICENSE',
    'NATIONAL_ID',
    'PROOF_OF_ADDRESS',
    'BANK_STATEMENT',
    'TAX_RETURN',
    'CERTIFICATE_OF_INCORPORATION',
    'ARTICLES_OF_INCORPORATION',
    'ARTICLES_OF_ASSOCIATION',
    'STATE_REGISTRY_EXCERPT',
    'GOOD_STANDING_CERTIFICATE',
    'INFORMATION_STATEMENT',
    'INCUMBENCY_CERTIFICATE',
    'BUSINESS_LICENSE',
    'SHAREHOLDER_REGISTER',
    'POWER_OF_ATTORNEY',
    'UTILITY_BILL',
    'ELECTRICITY_BILL',
    'RENT_OR_LEASE_AGREEMENT',
    'DIRECTOR_REGISTRY',
    'TRUST_AGREEMENT',
    'STATE_COMPANY_REGISTRY',
    'PARTNERSHIP_CONTROL_AGREEMENT',
    'PARTNERSHIP_AGREEMENT',
    'SELFIE',
    'OTHER',
  ],
  { $id: 'DocumentType' },
)
export type DocumentType = Static<typeof DocumentType>

const documentHolder = idOf('Customer', 'BeneficialOwner')

const about = {
  documentType: DocumentType,
  side: Type.Optional(
    enumOf(['FRONT', 'BACK'], { description: 'Side of the document. Only for documents with two sides.' }),
  ),
  country: countryCode({ description: 'Country that issued the document.' }),
  documentNumber: Type.Optional(plainText({ examples: ['A12345678'] })),
  issuingAuthority: Type.Optional(plainText({ examples: ['U.S. Department of State'] })),
}

/** Metadata only: a stored file cannot be downloaded (customers 11.1). */
export const Document = Type.Object(
  {
    id: idOf('Document'),
    documentHolder,
    ...about,
    fileName: Type.String({ examples: ['passport.pdf'] }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'Document' },
)
export type Document = Static<typeof Document>

export const DocumentList = listOf('DocumentListResponse', Document)

export const DocumentReplaceRequest = Type.Object(
  {
    file: Type.Unsafe<UploadedFile>({
      type: 'string',
      format: 'binary',
      description: 'PDF, JPEG or PNG, at most 10 MB.',
    }),
    ...about,
  },
  { $id: 'DocumentReplaceRequest' },
)
export type DocumentReplaceRequest = Static<typeof DocumentReplaceRequest>

export const DocumentUploadRequest = extend(
  DocumentReplaceRequest,
  { documentHolder },
  { $id: 'DocumentUploadRequest' },
)
export type DocumentUploadRequest = Static<typeof DocumentUploadRequest>

/** What the inspection of an uploaded file may find (customers 11.4). */
const inspectionErrors = [
  'LOW_QUALITY',
  'DATA_MISMATCH',
  'EXPIRED',
  'SUSPECTED_FRAUD',
  'UNSUITABLE_DOCUMENT',
  'INCOMPLETE',
] as const satisfies Operation['errors']

const documentPath = Type.Object({ documentId: Type.String() })

export const listDocuments = operation({
  id: 'listDocuments',
  method: 'GET',
  path: '/documents',
  tag,
  summary: 'List documents',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    documentHolder: Type.Optional(repeatable(documentHolder)),
    ...paging,
  }),
  responses: { 200: DocumentList },
  errors: [],
})

export const uploadDocument = operation({
  id: 'uploadDocument',
  method: 'POST',
  path: '/documents',
  tag,
  summary: 'Upload a document',
  auth: 'basic',
  permissions: ['MANAGE'],
  bodyType: 'multipart',
  largestFile: { bytes: maxFileBytes, field: 'file' },
  body: DocumentUploadRequest,
  responses: { 201: Document },
  errors: [...inspectionErrors, 'USER_NOT_FOUND', 'REFERENCE_NOT_FOUND'],
})

export const getDocument = operation({
  id: 'getDocument',
  method: 'GET',
  path: '/documents/{documentId}',
  tag,
  summary: 'Read the metadata of a document',
  auth: 'basic',
  permissions: ['VIEW'],
  params: documentPath,
  responses: { 200: Document },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const replaceDocument = operation({
  id: 'replaceDocument',
  method: 'PUT',
  path: '/documents/{documentId}',
  tag,
  summary: 'Replace a document',
  description: 'Replaces the file and all metadata. The id and the holder do not change.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: documentPath,
  bodyType: 'multipart',
  largestFile: { bytes: maxFileBytes, field: 'file' },
  body: DocumentReplaceRequest,
  responses: { 200: Document },
  errors: [...inspectionErrors, 'REFERENCE_NOT_FOUND'],
})

export const deleteDocument = operation({
  id: 'deleteDocument',
  method: 'DELETE',
  path: '/documents/{documentId}',
  tag,
  summary: 'Delete a document',
  description: 'You cannot delete a document that is part of a submission.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: documentPath,
  responses: { 204: null },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})
