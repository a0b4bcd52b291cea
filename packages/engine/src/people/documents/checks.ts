import type { BodyCheck } from '../../mechanisms/feature/bound.ts'
import { checkCountry } from '../customers/index.ts'
import { checkFile } from './file-type.ts'

/** What the schema cannot say about an upload: a country that exists, and a file that is a document. */
export const checkUpload: BodyCheck = (engine, scope, body) => [
  ...checkFile(body.file, engine.adapters[scope.environment].rules.documentTypeFrom),
  ...checkCountry('country', body.country),
]
