import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Call } from '../../vocabulary/operation.ts'
import * as commands from './commands.ts'
import { approveReview, getReview, getReviewFile, listReviews, rejectReview } from './contract.ts'
import { listLimit, listWaitingReviews } from './store.ts'

const needsSecondPerson = (
  engine: Engine,
  { scope, params }: Call<typeof approveReview> | Call<typeof rejectReview>,
) => commands.needsSecondPerson(engine, scope.actor, params.verificationId)

export const reviewRoutes = [
  route(listReviews, async (engine) => {
    const waiting = await listWaitingReviews(engine.database)
    const data = await Promise.all(waiting.map((review) => commands.summarize(engine, review)))
    return ok({
      status: 200,
      body: { data, hasMore: data.length === listLimit, totalCount: data.length },
    })
  }),

  route(getReview, (engine, { scope, params }) =>
    commands.openReview(engine, scope.actor, params.verificationId),
  ),

  route(getReviewFile, (engine, { scope, params: { verificationId, documentId } }) =>
    commands.openFile(engine, scope.actor, verificationId, documentId),
  ),

  route(
    approveReview,
    (engine, { scope, params, body }) =>
      commands.decide(engine, scope.actor, params.verificationId, { decision: 'APPROVED', note: body?.note }),
    { needsSecondPerson },
  ),

  route(
    rejectReview,
    (engine, { scope, params, body }) =>
      commands.decide(engine, scope.actor, params.verificationId, {
        decision: 'REJECTED',
        note: body.reason,
      }),
    { needsSecondPerson },
  ),
]
