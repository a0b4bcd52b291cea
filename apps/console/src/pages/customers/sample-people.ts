/**
 * People for a sandbox to begin with. Where customers are decided at their creation, the end of a name decides: three of them
 * are not approved.
 */
export const samplePeople: readonly { readonly fullName: string; readonly region: string }[] = [
  { fullName: 'Ana Lopez', region: 'US' },
  { fullName: 'Greta Lindholm', region: 'SE' },
  { fullName: 'Diego Ruiz', region: 'MX' },
  { fullName: 'Amina Okafor', region: 'NG' },
  { fullName: 'Lena Vogt', region: 'DE' },
  { fullName: 'Tom Hughes', region: 'GB' },
  { fullName: 'Priya Nair', region: 'IN' },
  { fullName: 'Joao Silva', region: 'BR' },
  { fullName: 'Maria Santos', region: 'PH' },
  { fullName: 'Kofi Mensah', region: 'GH' },
  { fullName: 'Chloe Martin', region: 'FR' },
  { fullName: 'Wanjiru Kamau', region: 'KE' },
  { fullName: 'Marco Rossi', region: 'IT' },
  { fullName: 'Sofia Vargas', region: 'CO' },
  { fullName: 'Noah Baker', region: 'US' },
  { fullName: 'Mei Tan', region: 'SG' },
  { fullName: 'Emily Clark', region: 'CA' },
  { fullName: 'Waits Forreview 001', region: 'US' },
  { fullName: 'Refused Forgood 002', region: 'US' },
  { fullName: 'Unclear Papers 003', region: 'US' },
]
