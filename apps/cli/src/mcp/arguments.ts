import { Ajv, type ErrorObject } from 'ajv'

/** Describes all errors in the arguments of a tool. Returns undefined if they match its schema. */
export type ArgumentCheck = (given: unknown) => string | undefined

export function argumentChecks(): (schema: object) => ArgumentCheck {
  const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false })
  return (schema) => {
    const validate = ajv.compile(schema)
    return (given) => {
      if (validate(given)) return undefined
      const { properties } = schema as { properties: object }
      const errors = (validate.errors ?? []).slice(0, mostErrors)
      return [...new Set(errors.map((error) => inWords(error, Object.keys(properties))))].join(' ')
    }
  }
}

const mostErrors = 10
const mostCharacters = 100

function inWords({ keyword, instancePath, params, message }: ErrorObject, known: readonly string[]): string {
  const name = instancePath ? `\`${instancePath.slice(1)}\`` : 'arguments'
  switch (keyword) {
    case 'required':
      return `\`${params.missingProperty}\` is required.`
    case 'additionalProperties': {
      const unknown = String(params.additionalProperty).slice(0, mostCharacters)
      return known.length === 0
        ? `Unknown argument "${unknown}". The tool takes no arguments.`
        : `Unknown argument "${unknown}". The arguments are ${known.join(', ')}.`
    }
    case 'type':
      return `${name} must be ${params.type === 'string' ? 'a' : 'an'} ${params.type}.`
    case 'enum':
      return `${name} must be one of ${(params.allowedValues as string[]).join(', ')}.`
    case 'minimum':
      return `${name} must be at least ${params.limit}.`
    case 'minLength':
      return `${name} must not be empty.`
    default:
      return `${name} ${message}.`
  }
}
