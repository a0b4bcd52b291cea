import Type from 'typebox'
import { operation } from '../../vocabulary/operation.ts'

export const TravelRuleInfo = Type.Object(
  {
    payerUma: Type.String(),
    peerDomain: Type.String(),
    info: Type.Optional(
      Type.String({
        description:
          "Decrypted JSON from the payer's institution, unchanged. Absent if the institution sent none.",
      }),
    ),
  },
  { $id: 'UmaTravelRuleInfo' },
)

export const readTravelRuleInfo = operation({
  id: 'operatorReadTravelRuleInfo',
  method: 'GET',
  path: '/operator/transactions/{transactionId}/travel-rule',
  tag: 'Operator',
  summary: "Decrypt the payer's travel rule information",
  description:
    'Only for incoming UMA payments. Corridor stores the information encrypted, and decrypts it only for this request. The audit log records the request.',
  auth: 'operator',
  role: 'REVIEWER',
  permissions: [],
  params: Type.Object({ transactionId: Type.String() }),
  responses: { 200: TravelRuleInfo },
  errors: ['TRANSACTION_NOT_FOUND'],
})
