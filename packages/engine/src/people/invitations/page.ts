import { ok } from '@corridor/kernel'
import type { HostedPage } from '../../mechanisms/feature/bound.ts'
import { loadConfig } from '../../platform/platforms/index.ts'
import { normalizeCode, statusAt } from './rules.ts'
import { findBookOfCode, loadInvitation } from './store.ts'

/**
 * Where the `url` of an invitation leads (webhooks-uma 4): on to where the inviter's platform signs people up, which gets the
 * code. One that is used or over leads nowhere.
 */
export const invitationPage: HostedPage = {
  path: '/i/:code',
  async answer(engine, { params }) {
    const code = normalizeCode(params.code ?? '')
    const book = code && (await findBookOfCode(engine.database, null, code))
    if (!book) return ok(note(404, 'The invitation was not found.'))
    const [invitation, config, now] = await Promise.all([
      loadInvitation(engine.database, book, code),
      loadConfig(engine.database, book),
      engine.clock.now(book),
    ])
    const { onboardingUrl } = config.settings.invitations ?? {}
    if (!invitation || statusAt(invitation, now) !== 'PENDING' || onboardingUrl === undefined) {
      return ok(note(410, 'This invitation is no longer open.'))
    }
    const target = new URL(onboardingUrl)
    target.searchParams.set('invitation', code)
    const answer = note(302, 'This invitation continues on another page.')
    return ok({ ...answer, headers: { ...answer.headers, location: target.href } })
  },
}

function note(status: number, body: string) {
  return {
    status,
    contentType: 'text/plain',
    body,
    headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  }
}
