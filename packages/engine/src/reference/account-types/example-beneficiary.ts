/** The person in the published examples; some currencies add to it. */
export const examplePerson = {
  beneficiaryType: 'INDIVIDUAL',
  fullName: 'Amina Okafor',
  birthDate: '1990-02-28',
  nationality: 'NG',
} as const

export const exampleAddress = { line1: '12 Harbour Street', postalCode: '10115', country: 'DE' } as const
