import type { HostedAnswer } from '@corridor/engine/mechanisms/http/hosted-page.ts'
import { type Content, html } from '../html.ts'

interface Frame {
  readonly title: string
  readonly body: Content
  readonly status?: number
  readonly notice?: string | undefined
  /** Where finishing leads: a form may only be sent to us, and from us to there. */
  readonly redirectUri?: string | null
}

/** A whole page: nothing inline, nothing from anywhere else, nothing kept by a cache (conventions 11). */
export function pageOf({ title, body, status = 200, notice, redirectUri }: Frame): HostedAnswer {
  const page = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <title>${title}</title>
  <link rel="stylesheet" href="/verify/assets/verify.css">
  <script src="/verify/assets/verify.js" defer></script>
</head>
<body>
  <a class="skip" href="#content">Skip to content</a>
  <header><p class="brand">Identity verification</p></header>
  ${notice && html`<p class="test" role="note">${notice}</p>`}
  <main id="content" tabindex="-1">${body}</main>
  <footer><p>Your data is encrypted in transit and at rest.</p></footer>
</body>
</html>
`
  return {
    status,
    contentType: 'text/html',
    body: page.markup,
    headers: {
      'content-security-policy': contentPolicy(redirectUri),
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    },
  }
}

function contentPolicy(redirectUri: string | null | undefined): string {
  // Browsers apply form-action to where a form's answer redirects as well.
  const onward = redirectUri ? ` ${new URL(redirectUri).origin}` : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src blob:',
    "connect-src 'self'",
    `form-action 'self'${onward}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export type Ending =
  | 'APPROVED'
  | 'REJECTED'
  | 'IN_REVIEW'
  | 'ALREADY_DECIDED'
  | 'USED'
  | 'EXPIRED'
  | 'VOID'
  | 'UNKNOWN'
  | 'FOREIGN'

interface EndingText {
  readonly status: number
  readonly mark: 'good' | 'wait' | 'bad'
  readonly title: string
  readonly text: string
}

const askForLink = 'Ask the sender for a new link.'

const endings: Readonly<Record<Ending, EndingText>> = {
  APPROVED: { status: 200, mark: 'good', title: 'You are verified', text: 'You can close this page.' },
  REJECTED: {
    status: 200,
    mark: 'bad',
    title: 'We could not verify you',
    text: 'The verification is complete. To find out what this means for you, ask the company that sent you the link.',
  },
  IN_REVIEW: {
    status: 200,
    mark: 'wait',
    title: 'Thank you, we have everything',
    text: 'We will review your information. The company that sent you the link will inform you of the result. You can close this page.',
  },
  ALREADY_DECIDED: {
    status: 200,
    mark: 'good',
    title: 'Nothing left to do',
    text: 'The verification is already complete. You can close this page.',
  },
  USED: {
    status: 410,
    mark: 'good',
    title: 'This link has been used',
    text: 'You have already sent your information. You can close this page.',
  },
  EXPIRED: { status: 410, mark: 'wait', title: 'This link has expired', text: askForLink },
  VOID: { status: 410, mark: 'bad', title: 'This link is no longer valid', text: askForLink },
  UNKNOWN: {
    status: 404,
    mark: 'bad',
    title: 'Link not found',
    text: `Check that you copied the complete link. ${askForLink}`,
  },
  FOREIGN: {
    status: 403,
    mark: 'bad',
    title: 'Request not accepted',
    text: 'Open the link that you received, and fill in the form on that page.',
  },
}

export function endingPage(ending: Ending): HostedAnswer {
  const { status, mark, title, text } = endings[ending]
  return pageOf({
    status,
    title,
    body: html`
      <div class="ending">
        <p class="mark ${mark}" aria-hidden="true">${mark === 'good' ? '✓' : mark === 'wait' ? '…' : '!'}</p>
        <h1>${title}</h1>
        <p>${text}</p>
      </div>`,
  })
}
