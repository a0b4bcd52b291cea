import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { smtpSender } from './smtp.ts'

let server: Server | undefined
afterEach(() => {
  server?.close()
})

/** A mail server that speaks the least of SMTP; `answers` overrides its answer to a command. */
async function listen(answers: Record<string, string> = {}, demandsTls = false) {
  const mails: string[] = []
  server = createServer((socket) => {
    let data: string | undefined
    socket.write('220 mail.test ESMTP\r\n')
    socket.on('data', (bytes) => {
      for (const line of bytes.toString('utf8').split('\r\n').slice(0, -1)) {
        if (data !== undefined) {
          if (line === '.') {
            mails.push(data)
            data = undefined
            socket.write(`${answers.DOT ?? '250 taken'}\r\n`)
          } else data += `${line}\n`
          continue
        }
        const [command = ''] = line.toUpperCase().split(' ')
        if (command === 'DATA') data = ''
        const usual = { DATA: '354 go on', QUIT: '221 bye' }[command] ?? '250 fine'
        socket.write(`${answers[command] ?? usual}\r\n`)
      }
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((listening) => server!.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    mails,
    send: smtpSender({
      url: `smtp://127.0.0.1:${port}`,
      from: 'Larch <no-reply@larch.example>',
      ...(demandsTls ? {} : { demandsTls }),
    }),
  }
}

const message = {
  id: 'Message:0199dccc-4a80-7000-8000-000000000001',
  to: 'ana@example.com',
  subject: 'Your verification code',
  text: 'Your verification code is 271828.',
}

it('sends an e-mail that has the same message id at every attempt', async () => {
  const { mails, send } = await listen()
  expect(await send(message)).toEqual({ ok: true })
  expect(await send(message)).toEqual({ ok: true })
  for (const mail of mails) {
    expect(mail).toContain('From: Larch <no-reply@larch.example>')
    expect(mail).toContain('To: ana@example.com')
    expect(mail).toContain('Message-ID: <Message.0199dccc-4a80-7000-8000-000000000001@larch.example>')
    expect(mail).toContain('271828')
  }
  expect(mails).toHaveLength(2)
})

it("shows the platform's name and logo, and keeps the operator's address", async () => {
  const { mails, send } = await listen()
  const logoUrl = 'https://larch.example/logo.png?a=1&b="><script>'
  const sender = { name: 'Larch & Sons', replyTo: 'help@larch.example', logoUrl }
  expect(await send({ ...message, sender })).toEqual({ ok: true })
  const [mail] = mails as [string]
  expect(mail).toContain('From: "Larch & Sons" <no-reply@larch.example>')
  expect(mail).toContain('Reply-To: help@larch.example')
  const decoded = mail.replace(/=\n/g, '').replace(/=3D/g, '=')
  expect(decoded).toContain(
    '<img src="https://larch.example/logo.png?a=1&amp;b=&quot;&gt;&lt;script&gt;" alt="Larch &amp; Sons" height="48">',
  )
  expect(decoded).toContain('<p>Your verification')
  expect(decoded).not.toContain('<script')

  await send({ ...message, sender: { name: 'Larch', logoUrl: 'http://larch.example/logo.png' } })
  expect(mails[1]).toContain('From: Larch <no-reply@larch.example>')
  expect(mails[1]).not.toMatch(/<img|Reply-To/)
})

it('lets nobody add senders or headers through a name or an address', async () => {
  const { mails, send } = await listen()
  const name = 'Larch <ceo@bank.example>\r\nBcc: eve@example.com'
  await send({ ...message, sender: { name, replyTo: 'a@larch.example\r\nBcc: eve@example.com' } })
  const [mail] = mails as [string]
  expect(mail).not.toMatch(/^Bcc:/m)
  expect(/^From:(.*(?:\n .*)*)/m.exec(mail)![1]).toMatch(/<no-reply@larch\.example>$/)
})

it('gives up on a recipient that is refused for good, without repeating who it was', async () => {
  const { send } = await listen({ RCPT: '550 5.1.1 <ana@example.com>: no such user' })
  expect(await send(message)).toEqual({ ok: false, reason: 'SMTP 550', isFinal: true })
})

it('tries again what a server refuses for now, or when none answers', async () => {
  const { send } = await listen({ DOT: '451 try later' })
  expect(await send(message)).toEqual({ ok: false, reason: 'SMTP 451', isFinal: false })
  const nowhere = smtpSender({ url: 'smtp://127.0.0.1:1', from: 'a@b.example' })
  expect(await nowhere(message)).toMatchObject({ ok: false, isFinal: false })
})

it('lets nobody add recipients or headers through an address', async () => {
  const { mails, send } = await listen()
  await send({
    ...message,
    to: 'ana@example.com, eve@example.com\r\nBcc: eve@example.com',
    subject: 'a\r\nBcc: eve@example.com',
  })
  expect(mails.join('')).not.toMatch(/^Bcc:/m)
})

it('keeps a message back from a server that offers no TLS, unless it may be sent in the clear', async () => {
  const strict = await listen({ STARTTLS: '502 not here' }, true)
  expect(await strict.send(message)).toEqual({
    ok: false,
    reason: expect.stringMatching(/^SMTP /),
    isFinal: false,
  })
  expect(strict.mails).toEqual([])
})
