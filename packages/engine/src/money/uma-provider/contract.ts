import Type from 'typebox'
import { operation } from '../../vocabulary/operation.ts'

export const TravelRuleInfo = Type.Object(
  {
    payerUma: Type.String(),
    peerDomain: Type.String(),
    info: Type.Optional(
      Type.String({
        description:
          'What the institution of the payer sent, decrypted: JSON, as it came. Absent where it sent none.',
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
  summary: 'Decrypt who pays, as their institution tells for the travel rule',
  description:
    'Of an incoming UMA payment. It is kept as it came, and opened on this request alone, which is logged.',
  auth: 'operator',
  role: 'REVIEWER',
  permissions: [],
  params: Type.Object({ transactionId: Type.String() }),
  responses: { 200: TravelRuleInfo },
  errors: ['TRANSACTION_NOT_FOUND'],
})
