import { ok, toTimestamp } from '@corridor/kernel'
import { route } from '../http/operation.ts'
import * as commands from './commands.ts'
import {
  approveReview,
  getReview,
  getReviewFile,
  listReviews,
  type ReviewSummary,
  rejectReview,
} from './contract.ts'
import { listLimit, listWaitingReviews, type WaitingReview } from './store.ts'

export const reviewRoutes = [
  route(listReviews, async (engine) => {
    const data = (await listWaitingReviews(engine)).map(render)
    return ok({
      status: 200,
      body: { data, hasMore: data.length === listLimit, totalCount: data.length },
    })
  }),

  route(getReview, (engine, { params }) => commands.openReview(engine, params.verificationId)),

  route(getReviewFile, (engine, { params: { verificationId, documentId } }) =>
    commands.openFile(engine, verificationId, documentId),
  ),

  route(approveReview, (engine, { params, body }) =>
    commands.decide(engine, params.verificationId, { decision: 'APPROVED', note: body?.note }),
  ),

  route(rejectReview, (engine, { params, body }) =>
    commands.decide(engine, params.verificationId, { decision: 'REJECTED', note: body.reason }),
  ),
]

function render({ name, submittedAt, ...review }: WaitingReview): ReviewSummary {
  return { ...review, ...(name === null ? {} : { name }), submittedAt: toTimestamp(submittedAt) }
}
