// --no-visitor-text: what one stranger sent comes out nowhere, and what the CMS or ten visits on two days know does.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findReport, reportNames } from '../../src/commands/reports.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createAppPassword } from '../../src/identity/app-passwords.ts'
import { type Assistant, closeAssistants, connectAssistant } from '../support/mcp-client.ts'
import { start, temporaryFolder } from '../support/program.ts'
import { seed } from '../support/property.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, type Running as Service, withService } from '../support/service.ts'

const { path, remove } = temporaryFolder()
const data = path('site.db')
const day = 86_400_000
const now = Date.now()

/** Part of every text of a stranger, however it is cased or encoded. */
const mark = /zq[0-9a-z]*xq|IGNORE(?!d")/i
/** Signs that mean something to sentences, expressions, paths and lists. */
const signs = [
  '”',
  '“',
  '»',
  '„',
  ' ',
  '.',
  '$&',
  '(',
  ')',
  '[',
  '\\',
  ',',
  '!',
  '*',
  '/',
  ':',
  'é',
  '日本',
  '“/known”',
]
const written = fc.array(fc.constantFrom(...signs, 'a', 'obey'), { maxLength: 6 }).map(parts => parts.join(''))
const strangers = fc.sample(fc.tuple(written, written, written, written, fc.nat(4)), { numRuns: 24, seed })

const knownPage = '/known'
const knownHost = 'shop.example'
const knownSource = 'friends.example'
const knownEvent = 'table_reserved'
const cmsPage = '/pushed-by-the-cms'
const known = [knownPage, knownHost, knownSource, knownEvent, cmsPage]

const post = (service: Service['service'], name: string, body: object, address: string): Promise<Response> =>
  sendRecord(`${service.url}/analytics/v1/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'user-agent': firefox, 'x-forwarded-for': address },
  })

const accept = async (...records: Parameters<typeof post>): Promise<void> => {
  const { status } = await post(...records)
  assert.ok(status < 300, `${records[1]}: ${status}`)
}

/** Two days of visits of many people to one page. */
const visitOften = async ({ service, clock, api, settled }: Service): Promise<void> => {
  const json = { 'content-type': 'application/json' }
  const saved = await api('/content', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ page: `https://${knownHost}${cmsPage}`, author: 'Mira', resource_type: 'post' }),
  })
  assert.is(saved.status, 200)
  for (const moment of [now - 2 * day, now - day]) {
    clock.now = moment
    for (let visitor = 1; visitor <= 6; visitor++) {
      const address = `198.51.${visitor}.1`
      const page_url = `https://${knownHost}${knownPage}`
      await accept(service, 'hit', { page_url, referrer: `https://${knownSource}/` }, address)
      await accept(service, 'event', { name: knownEvent, page_url }, address)
    }
  }
  for (const [route, body] of [
    ['/goals', { name: 'Any page', kind: 'page', pattern: '/*' }],
    [
      '/funnels',
      {
        name: 'Known first',
        steps: [
          { kind: 'page', pattern: knownPage },
          { kind: 'page', pattern: '/never' },
        ],
      },
    ],
  ] as const) {
    const answer = await api(route, { method: 'POST', headers: json, body: JSON.stringify(body) })
    assert.is(answer.status, 201, JSON.stringify(answer.body))
  }
  await accept(service, 'hit', { page_url: `https://${knownHost}${cmsPage}` }, '198.51.200.1')
  await settled()
}

/** A stranger, who begins on a page that is known and goes on to pages that nobody else has seen. */
const visitOnce = async (service: Service['service'], index: number): Promise<void> => {
  const [first = '', second = '', third = '', fourth = '', kind = 0] = strangers[index] ?? []
  const address = `203.0.${index + 1}.1`
  const own = `zq${index}xq`
  const host = kind === 0 ? `${own}.example` : knownHost
  const utm = ['source', 'medium', 'campaign', 'term', 'content']
    .map(key => `utm_${key}=${encodeURIComponent(`${own} ${key} ${second}`)}`)
    .join('&')
  const facts = {
    title: `${own} ${third}`,
    language: 'en-ignore',
    author: `${own} ${fourth}`,
    resource_type: `${own} type`,
    published_at: '2020-01-01',
  }
  const referrer = `https://${own}.referrer.example/${own}`
  const query = kind === 1 ? `?${utm}` : ''
  await accept(service, 'hit', { page_url: `https://${knownHost}${knownPage}${query}`, referrer, ...facts }, address)
  const page_url = `https://${host}/${encodeURI(`${own}${first}`)}`
  for (const page of [page_url, `${page_url}/${kind}`])
    await accept(service, 'hit', { page_url: page, ...facts }, address)
  await accept(
    service,
    'event',
    { name: `${own} ${third}`, page_url, properties: { [`${own} key`]: `${own} ${fourth}` } },
    address,
  )
  const landing = `https://${knownHost}/${own}/landing?${query === '' ? utm : ''}`
  await accept(service, 'hit', { page_url: landing, ...facts }, `192.0.${index + 3}.1`)
}

/** Every tool and every resource, with arguments that name strangers' texts in part. */
const everything = async ({ call, client }: Assistant): Promise<string[]> => {
  const answers: string[] = []
  const add = async (name: string, args: object = {}): Promise<any> => {
    const { body, text, isError } = await call(name, args)
    assert.is(isError, false, text)
    answers.push(JSON.stringify(body), text)
    return body
  }
  const report = (name: string, filters: object = {}): Promise<any> =>
    add('report', { name, filters, ...(findReport(name).report.list && { limit: 100 }) })
  const kinds = [
    'page',
    'entry_page',
    'exit_page',
    'host',
    'source',
    'event',
    'language',
    'utm_campaign',
    'property.zq0xq key',
  ]
  const groups = ['page', 'entry_page', 'exit_page', 'host', 'source', 'utm', 'utm_source', 'language', 'channel']
  const dimensions = ['country', 'host', 'language', 'browser', 'screen']
  for (const name of reportNames) {
    if (name === 'filters/KEY') for (const kind of kinds) await report(`filters/${kind}`)
    else if (name === 'dimensions/TYPE') for (const kind of dimensions) await report(`dimensions/${kind}`)
    else if (name.endsWith('breakdown')) for (const by of groups) await report(name.replace('ID', '1'), { by })
    else await report(name.replace('ID', '1').replace('NAME', knownEvent))
  }
  await report('paths', { include: 'both', depth: 4 })
  await report('paths', { page: knownPage, include: 'both' })
  for (const group_by of ['source', 'medium', 'campaign', 'source,medium,campaign']) await report('utm', { group_by })
  // Values that nothing has, whose nearest are strangers'.
  for (const filters of [
    { page: '/zq1xx' },
    { host: 'zq1.example' },
    { event: 'zq1x' },
    { source: 'zq1.referrer.example' },
  ])
    await report('pages', filters)
  await add('compare', { name: 'pages', limit: 100 })
  await add('compare', { name: 'sources', limit: 100 })
  await add('explain', { name: 'pages', filters: { page: '/z*' }, limit: 100 })
  await add('explain', { name: 'realtime' })
  for (const tool of ['realtime', 'diagnostics', 'annotations']) await add(tool)
  const { questions } = await add('questions')
  const ids = questions.map(({ id }: { id: string }) => id)
  for (const lang of ['en', 'de', 'fr', 'es']) await add('answers', { ids, lang })
  for (const text of [
    'which pages were viewed most?',
    'which page lost visitors?',
    'top sources today',
    'which events happened most often?',
    'how often was /zq1 viewed?',
    'who is on the site now?',
  ])
    await add('ask', { text })
  const { resources } = await client.listResources()
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri })
    answers.push(JSON.stringify(contents))
  }
  return answers
}

const closed: (() => Promise<unknown>)[] = []
let authorization: string

test.before(async () => {
  await withService({ file: data, start: new Date(now - 3 * day).toISOString() }, visitOften)
  await withService({ file: data, start: new Date(now).toISOString() }, async ({ service, settled }) => {
    for (let index = 0; index < strangers.length; index++) await visitOnce(service, index)
    await settled()
  })
  const flags = { siteUrl: `https://${knownHost}` }
  await withService({ file: data, start: new Date(now).toISOString(), flags }, async ({ service, restart }) => {
    for (let index = 0; index < 40; index++)
      await post(service, 'hit', { page_url: 'https://zqforeignxq.example/' }, `203.1.${index}.1`)
    // What was refused is written when the service stops.
    await restart()
  })
  const { db } = openDatabase(data)
  authorization = `admin:${createAppPassword(db, { login: 'admin', name: 'mcp' }, 0).password}`
  db.close()
})
test.after(async () => {
  await closeAssistants()
  for (const close of closed) await close()
  remove()
})

/** The texts that hold a mark which the call did not say. */
const foundIn = (answers: readonly string[]): string[] =>
  answers.flatMap(text => {
    const rest = text.replace(/\/?zq1xx|zq1\.(?:referrer\.)?example|\/zq1\b|zq1x\b/g, '')
    const at = rest.search(mark)
    return at === -1 ? [] : [rest.slice(Math.max(0, at - 200), at + 200)]
  })

const holds = (answers: readonly string[]): void => {
  assert.equal(foundIn(answers).slice(0, 3), [])
  const all = answers.join('\n')
  for (const text of known) assert.ok(all.includes(text), `${text} is left out`)
}

test('of a file, no text that one stranger sent comes out, and known ones do', async () => {
  const open = await everything(await connectAssistant(['--data', data]))
  // Otherwise there would be nothing to leave out.
  assert.ok(foundIn(open).length > 60, String(foundIn(open).length))
  assert.match(open.join('\n'), /zqforeignxq/)
  holds(await everything(await connectAssistant(['--data', data, '--no-visitor-text'])))
})

test('of a service, no text that one stranger sent comes out, and known ones do', async () => {
  const service = await start(['--data', data])
  closed.push(async () => {
    service.process.kill('SIGTERM')
    await service.ended
  })
  const env = { FOOTFALL_APP_PASSWORD: authorization }
  const assistant = await connectAssistant(['--url', service.url, '--no-visitor-text'], { env })
  holds(await everything(assistant))
})

test.run()
