// The documents as pages: each link leads somewhere, nothing is loaded from elsewhere, and every document is found.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { makeDocsSite } from '../support/docs-site.ts'
import { temporaryFolder } from '../support/program.ts'

const folder = temporaryFolder()
const site = folder.path('site')
test.before(() => makeDocsSite(site))
test.after(() => folder.remove())

const textOf = (page: string): string => readFileSync(join(site, page), 'utf8')
const pages = (): string[] => globSync('**/*.html', { cwd: site }).sort()
const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)
const idsOf = (page: string): string[] => matches(textOf(page), /<[^>]* id="([^"]*)"/g)

test('every link, and every anchor in it, leads to a file of the folder', () => {
  assert.ok(pages().length > 50)
  const ids = new Map(pages().map(page => [page, idsOf(page)]))
  const broken = pages().flatMap(page =>
    matches(textOf(page), /<[^>]* (?:href|src)="([^"]*)"/g)
      .filter(address => !/^(?:https?:|mailto:|data:,$)/.test(address))
      .filter(address => {
        const [path = '', anchor] = address.split('#')
        const target = path === '' ? page : join(dirname(page), decodeURI(path))
        const isThere = existsSync(join(site, target)) && statSync(join(site, target)).isFile()
        return !isThere || (anchor !== undefined && !ids.get(target)?.includes(decodeURI(anchor)))
      })
      .map(address => `${page}: ${address}`),
  )
  assert.equal(broken, [])
})

test('no two places of a page have one name', () => {
  const twice = pages().flatMap(page => {
    const ids = idsOf(page)
    return ids.filter((id, index) => ids.indexOf(id) !== index).map(id => `${page}#${id}`)
  })
  assert.equal(twice, [])
})

test('nothing is loaded from another host, nor from the root of this one', () => {
  const loaded = pages().flatMap(page =>
    [...matches(textOf(page), /<(?!a )[^>]* (?:href|src|srcset)="([^"]*)"/g)]
      .filter(address => /^(?:[a-z]+:|\/)/.test(address) && address !== 'data:,')
      .map(address => `${page}: ${address}`),
  )
  assert.equal(loaded, [])
  assert.not.match(textOf('style.css'), /url\(|@import/)
})

test('every document is in the list of pages', () => {
  const listed = matches(textOf('index.html'), /<li><a href="([^"]*)"/g)
  const documents = globSync('docs/*.md').map(path => path.replace(/md$/, 'html'))
  assert.equal(
    [...documents, 'CHANGELOG.html', 'CONTRIBUTING.html'].filter(page => !listed.includes(page)),
    [],
  )
})

test('the header leads to the page about demos, or to a live one', () => {
  const demo = (text: string): string => /<a href="([^"]*)">Demo<\/a>/.exec(text)?.[1] ?? ''
  assert.is(demo(textOf('docs/tracker.html')), '../docs/demo.html')
  const live = folder.path('live')
  makeDocsSite(live, { DEMO_URL: 'https://demo.example.org/' })
  for (const page of ['index.html', 'docs/tracker.html'])
    assert.is(demo(readFileSync(join(live, page), 'utf8')), 'https://demo.example.org/')
})

test.run()
