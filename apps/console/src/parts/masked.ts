/** Fields of the API that hold what a person or a company is known by to an authority, such as a number of social security. */
const sensitive = ['identifier', 'documentNumber', 'taxId']

const inJson = new RegExp(String.raw`("(?:${sensitive.join('|')})"\s*:\s*)"((?:[^"\\]|\\.)*)"`, 'g')

export const isSensitive = (field: string) => sensitive.includes(field)

/** The last four characters, none of what is so short that they would tell most of it: `••••1120`. */
export const lastFour = (value: string) => `••••${value.length < 8 ? '' : value.slice(-4)}`

/** A text of JSON, however it is spaced, with the last four characters of each such field. */
export function masked(json: string): string {
  return json.replace(inJson, (_, name: string, value: string) => `${name}"${lastFour(value)}"`)
}
