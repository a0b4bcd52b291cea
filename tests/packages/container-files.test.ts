import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** What an engine for containers would refuse, or what it would take and should not, found without one. */

const root = join(import.meta.dirname, '../..')

describe('compose.yaml', () => {
  const known = {
    '': ['services', 'volumes'],
    services: ['*'],
    'services.*': ['image', 'restart', 'environment', 'ports', 'volumes', 'healthcheck'],
    'services.*.environment': ['*'],
    'services.*.healthcheck': ['test', 'interval', 'timeout', 'retries', 'start_period'],
    volumes: ['*'],
  } as const

  it('has members that there are, each once, in the places where they belong', () => {
    expect(problemsOf(readFileSync(join(root, 'compose.yaml'), 'utf8'))).toEqual([])
  })

  it.each([
    ['a misspelt member', (text: string) => text.replace('restart:', 'restarts:'), 'services.*.restarts'],
    ['a member of elsewhere', (text: string) => text.replace('    image:', 'image:'), 'image'],
    [
      'a member twice',
      (text: string) => text.replace('    restart:', '    image: postgres:18\n    restart:'),
      'twice',
    ],
    ['a tab', (text: string) => text.replace('    restart', '\t restart'), 'tab'],
    ['a list that does not end', (text: string) => text.replace('5432"]', '5432"'), 'ports'],
    ['an image without a version', (text: string) => text.replace('postgres:18', 'postgres'), 'version'],
    ['a port for everybody', (text: string) => text.replace('127.0.0.1:', ''), 'this machine'],
    [
      'a volume that is not declared',
      (text: string) => text.replace('["postgres:/', '["data:/'),
      'volume data',
    ],
  ])('would be found with %s', (_, spoil, problem) => {
    const whole = readFileSync(join(root, 'compose.yaml'), 'utf8')
    const spoilt = spoil(whole)
    expect(spoilt).not.toBe(whole)
    expect(problemsOf(spoilt).join('; ')).toContain(problem)
  })

  /** Of the part of YAML that this file keeps to: members by indentation of two, lists and texts on one line. */
  function problemsOf(text: string): string[] {
    const problems: string[] = []
    const open: { name: string; path: string }[] = []
    const seen = new Set<string>()
    const values = new Map<string, string>()
    for (const line of text.split('\n')) {
      if (line.trim() === '' || line.trim().startsWith('#')) continue
      if (line.includes('\t')) problems.push(`a tab: ${line}`)
      const [, spaces = '', name = '', value = ''] = /^( *)([\w-]+):(?: (.*))?$/.exec(line) ?? []
      if (name === '' || spaces.length % 2 !== 0 || spaces.length / 2 > open.length) {
        problems.push(`not a member: ${line}`)
        continue
      }
      open.length = spaces.length / 2
      const parent = open.map(({ path }) => path).at(-1) ?? ''
      const allowed = (known as Readonly<Record<string, readonly string[]>>)[parent] ?? []
      const isFree = allowed.includes('*')
      const path = `${parent === '' ? '' : `${parent}.`}${isFree ? '*' : name}`
      if (!isFree && !allowed.includes(name)) problems.push(`unknown: ${path}`)
      const whole = [...open.map((each) => each.name), name].join('.')
      if (seen.has(whole)) problems.push(`twice: ${whole}`)
      seen.add(whole)
      values.set(whole, value)
      if (value.startsWith('[') && !isList(value)) problems.push(`no list: ${whole}`)
      open.push({ name, path })
    }
    for (const [whole, value] of values) {
      if (whole.endsWith('.image') && !/^[a-z0-9./-]+:[\w.-]+$/.test(value))
        problems.push(`no version: ${whole}`)
      if (whole.endsWith('.ports') && isList(value)) {
        const others = (JSON.parse(value) as string[]).filter((port) => !port.startsWith('127.0.0.1:'))
        if (others.length > 0) problems.push(`not for this machine alone: ${others}`)
      }
      if (!/^services\..*\.volumes$/.test(whole) || !isList(value)) continue
      for (const volume of JSON.parse(value) as string[]) {
        const [source = ''] = volume.split(':')
        if (!seen.has(`volumes.${source}`)) problems.push(`volume ${source} is not declared`)
      }
    }
    return problems
  }

  function isList(value: string): boolean {
    try {
      return Array.isArray(JSON.parse(value))
    } catch {
      return false
    }
  }
})

describe('the Dockerfile', () => {
  const instructions: Readonly<Record<string, RegExp>> = {
    FROM: /^[a-z0-9./-]+:[\w.-]+( AS [a-z]+)?$/,
    WORKDIR: /^\/\S*$/,
    COPY: /^(--(from|chown)=\S+ )*\S+ \S+$/,
    RUN: /\S/,
    ENV: /^(\w+=\S+ ?)+$/,
    USER: /^\d+:\d+$/,
    VOLUME: /^\/\S+$/,
    EXPOSE: /^\d+$/,
    HEALTHCHECK: /^(--[a-z-]+=\w+ )*CMD \[".*"\]$/,
    STOPSIGNAL: /^SIG[A-Z]+$/,
    CMD: /^\[".*"\]$/,
  }

  const problemsOf = (text: string) => {
    const problems: string[] = []
    const stages = new Set<string>()
    for (const line of text.split('\n')) {
      if (line.trim() === '' || line.startsWith('#')) continue
      const [name = '', ...rest] = line.split(' ')
      const words = rest.join(' ')
      const form = instructions[name]
      if (!form) problems.push(`unknown: ${name}`)
      else if (!form.test(words)) problems.push(`form: ${line}`)
      const from = /--from=(\S+)/.exec(words)?.[1]
      if (from !== undefined && !stages.has(from)) problems.push(`no stage before: ${from}`)
      const stage = name === 'FROM' && / AS (\w+)$/.exec(words)?.[1]
      if (stage) stages.add(stage)
      if (name === 'FROM' && /:latest\b/.test(words)) problems.push('latest')
      if (name === 'ENV' && /secret|password|key/i.test(words)) problems.push(`secret: ${line}`)
      const list = /(\[".*"\])$/.exec(words)?.[1]
      if (list !== undefined) JSON.parse(list)
    }
    return problems
  }
  const whole = readFileSync(join(root, 'Dockerfile'), 'utf8')

  it('has instructions that there are, in their form', () => {
    expect(problemsOf(whole)).toEqual([])
  })

  it.each([
    ['another instruction', (text: string) => text.replace('WORKDIR', 'WORKDIRS'), 'unknown'],
    ['a user with rights', (text: string) => text.replace('USER 1000:1000', 'USER root'), 'form: USER'],
    [
      'a stage that is not there',
      (text: string) => text.replace(' AS build', ' AS builder'),
      'no stage before',
    ],
    [
      'a command of a shell',
      (text: string) => text.replace('CMD ["node", "dist/main.js"]', 'CMD node'),
      'form: CMD',
    ],
    ['a secret', (text: string) => text.replace('ENV ', 'ENV CORRIDOR_MASTER_KEY=1 '), 'secret'],
    ['an image without a version', (text: string) => text.replace(':26-bookworm-slim', ''), 'form: FROM'],
  ])('would be found with %s', (_, spoil, problem) => {
    const spoilt = spoil(whole)
    expect(spoilt).not.toBe(whole)
    expect(problemsOf(spoilt).join('; ')).toContain(problem)
  })
})
