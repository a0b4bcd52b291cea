import { failed, ok } from '@corridor/kernel'
import type { HostedPage } from '../../mechanisms/feature/bound.ts'
import { fail } from '../../vocabulary/errors.ts'
import { findReveal, loadCard } from './store.ts'

/** Digits in groups of four, as they stand on a card. */
const grouped = (number: string) => number.replace(/\d{4}(?=\d)/g, '$& ')

/**
 * The page that shows a card number (cards 1.4): on the service's own origin, kept by nobody, and the only
 * place where the number is. Made to be embedded by the platform, so it may be framed.
 */
export const cardPages: readonly HostedPage[] = [
  {
    path: '/cards/:token',
    async answer(engine, { params }) {
      const gone = failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Card' }))
      const token = params.token ?? ''
      if (token.length !== 43) return gone
      const reveal = await findReveal(engine.database, engine.keys.hashSecret(token))
      if (!reveal) return gone
      const processor = engine.adapters[reveal.environment].cards
      const card = await loadCard(engine.database, reveal, reveal.cardId)
      const isOver = (await engine.clock.now(reveal)) >= reveal.expiresAt
      if (!processor || !card?.last4 || card.state === 'CLOSED' || isOver) return gone
      const { expMonth, expYear } = card
      const shown = await processor.reveal({
        cardId: card.id,
        last4: card.last4,
        expMonth: expMonth!,
        expYear: expYear!,
      })
      const expiry = `${String(expMonth).padStart(2, '0')}/${String(expYear).slice(-2)}`
      return ok({
        contentType: 'text/html',
        body: page(grouped(shown.number), expiry, shown.securityCode),
        headers: {
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'content-security-policy':
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
        },
      })
    },
  },
]

function page(number: string, expiry: string, securityCode: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="robots" content="noindex"><title>Card</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:1rem}dt{color:#555;font-size:.8rem}dd{margin:0 0 .5rem;font-variant-numeric:tabular-nums}</style></head>
<body><dl>
<dt>Number</dt><dd>${number}</dd>
<dt>Expires</dt><dd>${expiry}</dd>
<dt>Security code</dt><dd>${securityCode}</dd>
</dl></body>
</html>
`
}
