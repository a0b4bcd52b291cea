import { execFileSync } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { firstCharacters } from './commands/listen.ts'
import { askOn, exportLine, shownOn } from './terminal.ts'

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

describe('text that others wrote', () => {
  it.each([
    ['moves the cursor', 'Ana\u001b[2A\u001b[K'],
    ['moves it with a control of eight bits', 'Ana\u009b2A'],
    ['renames the window', 'Ana\u001b]0;x\u0007'],
    ['overwrites its line', 'Ana\rBen'],
    ['is read backwards', 'Ana\u202eneB'],
  ])('that %s does not on a terminal, and is unchanged in a file', (_name, text) => {
    expect(shownOn({ isTTY: true }, `name\t${text}\nnext`)).toMatch(/^name\tAna\ufffd[ -~\ufffd]*\nnext$/)
    expect(shownOn({}, text)).toBe(text)
  })

  it.each(['http://localhost:1/x', 'http://h/x;exit$(exit)&', "it's", 'a\nexit 3', '`exit 3`'])(
    'is no command to a shell that evaluates the line: %j',
    (text) => {
      const script = `${exportLine('VALUE', text)}\nprintf %s "$VALUE"`
      expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(text)
    },
  )

  it('and never ends is read as far as it is kept', async () => {
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(100_000).fill(0x78)),
      cancel() {
        isCancelled = true
      },
    })
    expect(await firstCharacters(endless)).toBe('x'.repeat(65_536))
    expect(isCancelled).toBe(true)
    expect(await firstCharacters(null)).toBe('')
  })
})
