import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { askOn } from './terminal.ts'

/** A question on a terminal, and what is typed. */
async function asked(typed: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = Object.assign(new PassThrough(), { isTTY: true })
  const answer = askOn({ input, output }, 'Amount › ').then(
    (text) => ({ text }),
    ({ code, message }: { code: number; message: string }) => ({ code, message }),
  )
  input.write(typed)
  return { ...(await answer), ends: String(output.read()).endsWith('\n') }
}

describe('a question', () => {
  it('is answered with a line', async () => {
    expect(await asked('10 USD\r')).toMatchObject({ text: '10 USD' })
  })

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-C behind some text', '10\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('ends the command at %s, on a line of its own', async (_, typed) => {
    expect(await asked(typed)).toEqual({ code: 130, message: 'Stopped at a prompt.', ends: true })
  })
})
