// docs/api.md with the pages of docs/api, and the page of the service: all are made from the OpenAPI document.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { version } from '../../package.json'
import { endpoints } from '../../src/endpoints/index.ts'
import { documentOf } from '../../src/http/documents.ts'
import { compactJson, readReference } from '../../src/http/reference/read.ts'
import { withService } from '../support/service.ts'
import { apiDocuments } from './markdown.ts'

const folder = 'docs'
const document = documentOf(endpoints, '', version)
const reference = readReference(document)
const operations = reference.groups.flatMap(group => group.operations)

const pagesIn = (): string[] => readdirSync(join(folder, 'api')).map(name => `api/${name}`)

test('docs/api.md and the pages of each tag are what the document says', () => {
  const expected = apiDocuments(reference)
  if (process.env.UPDATE === '1') {
    rmSync(join(folder, 'api'), { recursive: true, force: true })
    mkdirSync(join(folder, 'api'))
    for (const [file, text] of expected) writeFileSync(join(folder, file), text)
  }
  for (const [file, text] of expected)
    assert.fixture(
      readFileSync(join(folder, file), 'utf8'),
      text,
      'After a change of the API run: npm run api-reference',
    )
  assert.equal(['api.md', ...pagesIn()].sort(), [...expected.keys()].sort())
})

/** Logins of the service itself, its shared links, and what WordPress answers itself: no route of the plugin. */
const leftOut = ['GET /', 'POST /session', 'DELETE /session', 'POST /share-links/open']

test('the plugin has the routes of the service', () => {
  const rest = 'wordpress/footfall/src/Rest.php'
  const routes = Object.entries(document.paths as Record<string, object>).flatMap(([path, operations]) => {
    const methods = Object.keys(operations).map(method => method.toUpperCase())
    const own = methods.filter(method => !leftOut.includes(`${method} ${path}`)).join(',')
    return own === '' ? [] : [[`'${path}'`, own] as const]
  })
  const width = Math.max(...routes.map(([path]) => path.length))
  const rows = routes.map(([path, methods]) => `\t\t${path.padEnd(width)} => '${methods}',\n`).join('')
  const text = readFileSync(rest, 'utf8')
  const expected = text.replace(/(const ROUTES = array\(\n)(?:\t\t.*\n)*/, (_, start: string) => `${start}${rows}`)
  if (process.env.UPDATE === '1') writeFileSync(rest, expected)
  assert.fixture(readFileSync(rest, 'utf8'), expected, 'After a change of the API run: npm run api-reference')
})

test('every operation is in a group, with a command and an answer', () => {
  assert.is(operations.length, endpoints.length + 2)
  for (const { summary, curl, status, answer } of operations) {
    assert.match(curl, /^curl .*\$API/s, summary)
    assert.is(answer === '', status === '204', summary)
  }
})

test('JSON for readers is the same JSON, in narrow lines', () => {
  for (const value of [[], {}, null, { a: [1, 2], b: { c: 'x'.repeat(90), d: [{ e: null }] } }, reference])
    assert.equal(JSON.parse(compactJson(value)), JSON.parse(JSON.stringify(value)))
  const longest = operations
    .filter(({ path }) => path !== '/metrics')
    .flatMap(({ answer }) => answer.split('\n'))
    .filter(line => line.length > 90)
  assert.ok(
    longest.every(line => /^ *("\w+": )?".*",?$/.test(line)),
    longest.join('\n'),
  )
})

test('the page of the service shows every operation, to everybody, without a script or a foreign request', () =>
  withService({ flags: { rootPath: '/stats' } }, async ({ service }) => {
    const url = `${service.url}/stats/analytics/v1/docs`
    const answer = await fetch(url)
    const page = await answer.text()
    assert.is(answer.status, 200)
    assert.is(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-[^']+';/)
    assert.not.match(page, /<script|<img|@import|\ssrc=|(href|url)[=(]"?https?:/i)
    assert.not.match(page, /\{\{\w+\}\}/)
    for (const { id } of operations) assert.ok(page.includes(`id="${id}"`), id)
    // Every link leads somewhere.
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const dead = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter(id => !ids.has(id))
    assert.equal(dead, [])
    const again = await fetch(url, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })
    assert.is(again.status, 304)
    assert.is((await fetch(url, { method: 'HEAD' })).status, 200)
    assert.is((await fetch(url, { method: 'POST' })).status, 404)
    assert.is((await fetch(`${service.url}/analytics/v1/docs`)).status, 404)
  }))

test.run()
