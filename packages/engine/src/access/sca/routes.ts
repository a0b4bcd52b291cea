import { type BodyCheck, route } from '../../mechanisms/feature/bound.ts'
import * as contract from './contract.ts'
import { confirmPasskey, confirmTotp, deletePasskey, listFactors, startEnrolment } from './enrolment.ts'
import { completeLogin, recordSecurityEvent, startLogin } from './login.ts'
import { checkProof } from './proofs.ts'
import { completeReset, decideResetReview, readReset, startReset, takesTwoToApprove } from './resets.ts'

const check: BodyCheck = (_engine, _scope, body) => checkProof(body)

export const scaRoutes = [
  route(contract.listScaFactors, (engine, { scope, query }) => listFactors(engine, scope, query.customerId)),
  route(contract.startScaFactorEnrollment, (engine, { scope, query, body }) =>
    startEnrolment(engine, scope, query.customerId, body.type),
  ),
  route(contract.confirmScaFactorEnrollment, (engine, { scope, query, body }) =>
    body.type === 'TOTP'
      ? confirmTotp(engine, scope, query.customerId, body)
      : confirmPasskey(engine, scope, query.customerId, body),
  ),
  route(contract.deleteScaFactor, (engine, { scope, query, params }) =>
    deletePasskey(engine, scope, query.customerId, params.credentialId),
  ),

  route(contract.startScaLogin, (engine, { scope, query, body }) =>
    startLogin(engine, scope, { ...query, ...body }),
  ),
  route(
    contract.completeScaLogin,
    (engine, { scope, query, body }) => completeLogin(engine, scope, query.customerId, body),
    { check },
  ),
  route(contract.recordSecurityEvent, (engine, { scope, query, body }) =>
    recordSecurityEvent(engine, scope, query.customerId, body),
  ),

  route(contract.startTwoFactorReset, (engine, { scope, query, body }) =>
    startReset(engine, scope, { ...query, ...body }),
  ),
  route(contract.getTwoFactorResetStatus, (engine, { scope, query, params }) =>
    readReset(engine, scope, { ...query, ...params }),
  ),
  route(contract.completeTwoFactorReset, (engine, { scope, query, params, body }) =>
    completeReset(engine, scope, { ...query, ...params }, body ?? {}),
  ),

  route(
    contract.approveFactorReset,
    (engine, { scope, params }) => decideResetReview(engine, scope.actor, params.resetId, 'pass'),
    { needsSecondPerson: (engine, { params }) => takesTwoToApprove(engine, params.resetId) },
  ),
  route(contract.rejectFactorReset, (engine, { scope, params }) =>
    decideResetReview(engine, scope.actor, params.resetId, 'reject'),
  ),
]
