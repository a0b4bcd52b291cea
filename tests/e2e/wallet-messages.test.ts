import { must, openTestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { walletClient } from './wallet-client.ts'

/** What the users of embedded wallets are sent (customers 2, wallets 5.4). */

const server = await openTestServer()

async function sent(contacts: { email: string } | { phoneNumber: string }, config?: object) {
  const platform = await server.platform()
  const api = server.client(platform)
  if (config) await must(api.PATCH('/config', { body: { embeddedWalletConfig: config } as never }))
  const client = await walletClient(server, { platform, ...contacts })
  const [method] = await client.credentials()
  expect((await client.challenge(method!.id)).status).toBe(200)
  await server.settle()
  const { data } = await must(api.GET('/sandbox/inbox'))
  return data[0]!
}

const email = { email: 'jane@larch.example' }

it('a code by mail comes from whom the platform has named, with its logo', async () => {
  const config = {
    appName: 'Larch',
    sendFromEmailSenderName: 'Larch Wallet',
    sendFromEmailAddress: 'wallet@larch.example',
    logoUrl: 'https://larch.example/logo.png',
  }
  const shown = { name: 'Larch Wallet', logoUrl: config.logoUrl }
  expect(await sent(email, config)).toMatchObject({
    subject: 'Your Larch sign-in code',
    sender: { ...shown, replyTo: 'wallet@larch.example' },
  })
  const answered = await sent(email, { ...config, replyToEmailAddress: 'help@larch.example' })
  expect(answered.sender).toEqual({ ...shown, replyTo: 'help@larch.example' })
})

it('a code by mail comes from Notifications where nobody is named', async () => {
  expect((await sent(email)).sender).toEqual({ name: 'Notifications' })
  expect((await sent(email, { otpLength: 8 })).sender).toEqual({ name: 'Notifications' })
})

it('a code by SMS has no sender', async () => {
  const config = { sendFromEmailSenderName: 'Larch Wallet' }
  const message = await sent({ phoneNumber: '+14155550123' }, config)
  expect(message).toMatchObject({ channel: 'SMS', status: 'SENT' })
  expect(message).not.toHaveProperty('sender')
})
