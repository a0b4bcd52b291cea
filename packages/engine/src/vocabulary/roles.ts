/**
 * What somebody who runs the installation may do: a role may all that the roles before it may. Each operation of the
 * operator names the least that suffices.
 */
export const operatorRoles = ['VIEWER', 'REVIEWER', 'OPERATOR', 'ADMINISTRATOR'] as const
export type OperatorRole = (typeof operatorRoles)[number]

export const roleMeanings: Readonly<Record<OperatorRole, string>> = {
  VIEWER: 'sees the state of the installation and the audit log, but no personal data',
  REVIEWER: 'reviews and decides about customers',
  OPERATOR: 'resolves stuck money, freezes and releases accounts, reruns jobs',
  ADMINISTRATOR: 'creates platforms, tokens and operators',
}

export function reaches(role: OperatorRole, least: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(least)
}
