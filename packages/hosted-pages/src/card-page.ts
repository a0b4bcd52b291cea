import type { HostedPage } from '@corridor/engine/mechanisms/feature/bound.ts'
import { openReveal, type RevealedCard } from '@corridor/engine/money/cards/index.ts'
import { fail } from '@corridor/engine/vocabulary/errors.ts'
import { failed, ok } from '@corridor/kernel'
import { html } from './html.ts'

/**
 * The page that shows a card number (cards 1.4): on the service's own origin, kept by nobody, and the only
 * place where the number is. Made to be embedded by the platform, so it may be framed.
 */
export const cardPages: readonly HostedPage[] = [
  {
    path: '/cards/:token',
    async answer(engine, { params }) {
      const card = await openReveal(engine, params.token ?? '')
      if (!card) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Card' }))
      return ok({
        contentType: 'text/html',
        body: page(card),
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

/** Digits in groups of four, as they stand on a card. */
const grouped = (number: string) => number.replace(/\d{4}(?=\d)/g, '$& ')

function page({ number, expMonth, expYear, securityCode }: RevealedCard): string {
  const expiry = `${String(expMonth).padStart(2, '0')}/${String(expYear).slice(-2)}`
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="robots" content="noindex"><title>Card</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:1rem}dt{color:#555;font-size:.8rem}dd{margin:0 0 .5rem;font-variant-numeric:tabular-nums}</style></head>
<body><dl>
<dt>Number</dt><dd>${grouped(number)}</dd>
<dt>Expires</dt><dd>${expiry}</dd>
<dt>Security code</dt><dd>${securityCode}</dd>
</dl></body>
</html>
`.markup
}
