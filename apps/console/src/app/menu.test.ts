import { describe, expect, it } from 'vitest'
import { isOf, menu, operatorMenu } from './menu.ts'
import router from './router.tsx?raw'

const pages = [...router.matchAll(/\b(page|operatorPage)\(\s*'([^']*)'/g)].map(([, kind, path]) =>
  kind === 'page'
    ? { entries: menu, path: path === '/' ? '/Acme/sandbox' : `/Acme/sandbox${path}` }
    : { entries: operatorMenu, path: `/operator${path}` },
)

describe('the menu', () => {
  it('has one current entry on every page of the router', () => {
    expect(pages.length).toBeGreaterThan(50)
    const wrong = pages
      .map(({ entries, path }) => ({ path, current: entries.filter((entry) => isOf(entry, path)) }))
      .filter(({ current }) => current.length !== 1)
    expect(wrong).toEqual([])
  })

  it('names no area that has no page', () => {
    const areas = [...menu, ...operatorMenu].flatMap(({ to, also = [] }) => [to, ...also])
    const idle = areas.filter((area) => !pages.some(({ path }) => isOf({ to: area, name: '' }, path)))
    expect(idle).toEqual([])
  })

  it('is the same in a fork, behind the base address, and for a platform whose name has a blank', () => {
    const current = (path: string) => menu.filter((entry) => isOf(entry, path)).map(({ to }) => to)
    expect(current('/console/Acme%20Ltd/sandbox@night/documents/Document%3A1')).toEqual(['documents'])
    expect(current('/Acme Ltd/sandbox%40night/quotes/new')).toEqual(['payments'])
    expect(current('/console/Acme/sandbox/')).toEqual([''])
    expect(current('/console/Acme/sandbox/no/such/page')).toEqual([])
  })
})
