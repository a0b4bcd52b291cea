import { expect, it } from 'vitest'
import { codeIn, linkIn } from '../../apps/console/src/pages/sandbox/message-parts.ts'

it.each([
  ['Your verification code is 123456. It is valid for 10 minutes. Do not share it with anyone.', '123456'],
  ['Your Acme sign-in code is A1B2C3D4. It is valid for 5 minutes.', 'A1B2C3D4'],
  ['123456 is your code to log in. It is valid for 5 minutes.', '123456'],
  ['123456 authorizes your payment of 10.00 EUR to Greta.', '123456'],
  ['Your payment of 123456 EUR was made.', undefined],
  [undefined, undefined],
])('finds in %j the code %j', (text, code) => {
  expect(codeIn(text)).toBe(code)
})

it.each([
  ['Go to https://pay.example.com/v/1?a=b.', 'https://pay.example.com/v/1?a=b'],
  ['(see https://pay.example.com/v/1).', 'https://pay.example.com/v/1'],
  ['Nothing at ftp://pay.example.com', undefined],
  [undefined, undefined],
])('finds in %j the link %j', (text, link) => {
  expect(linkIn(text)).toBe(link)
})
