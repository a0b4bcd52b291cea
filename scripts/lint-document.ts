import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'

/** `npm run lint:document`, after Redocly: the published document by Spectral's rules of OpenAPI. Any finding fails. */

const path = 'openapi/openapi.json'
const linter = new spectral.Spectral()
// The types of the two packages do not know each other.
linter.setRuleset({ extends: [rulesets.oas as object as RulesetDefinition] })
const findings = await linter.run(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', path), 'utf8')) as Record<string, unknown>,
)
for (const { code, message, path: place } of findings)
  console.error(`${place.join('.')}: ${code}: ${message}`)
console.log(`Spectral: ${findings.length} findings in ${path}`)
if (findings.length > 0) process.exitCode = 1
