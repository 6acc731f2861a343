// Every tool answers what the API of the running service answers, over the file and over --url.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { reportNames } from '../../src/commands/reports.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createAppPassword } from '../../src/identity/app-passwords.ts'
import { footfallHere } from '../support/command.ts'
import { type Assistant, closeAssistants, connectAssistant } from '../support/mcp-client.ts'
import { type Running, start, temporaryFolder } from '../support/program.ts'

const { path, remove } = temporaryFolder()
const data = path('site.db')
const now = Date.now()
const day = (ago: number): string => new Date(now - ago * 86_400_000).toISOString().slice(0, 10)
/** Not of the last 24 hours, which go on while two answers are compared. */
const [from, to] = [day(31), day(2)]

let service: Running
let credentials: string
let local: Assistant
let remote: Assistant

const api = async (name: string, init: { method?: string; body?: string } = {}): Promise<any> => {
  const response = await fetch(`${service.url}/analytics/v1${name}`, {
    ...init,
    headers: { authorization: `Basic ${btoa(credentials)}`, 'content-type': 'application/json' },
  })
  return response.json()
}
const post = (name: string, body: object): Promise<any> => api(name, { method: 'POST', body: JSON.stringify(body) })

/** Without what depends on the moment of the answer, and with the pages that an answer selects by cut as in tools. */
const timeless = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, part: unknown) =>
      ['generated_at', 'milliseconds', 'minutes'].includes(key)
        ? 0
        : key === 'page' && typeof part === 'string' && part.length > 120
          ? `${part.slice(0, 119)}…`
          : part,
    ),
  )

/** Without what the tool adds to the API's answer. */
const apiPart = ({ truncated: _, next: __, notes: ___, ...body }: any): unknown => timeless(body)

test.before(async () => {
  const made = await footfallHere(['demo', '--data', data, '--days', '60', '--visits', '4000', '--to', day(2)])
  assert.is(made.status, 0, made.stderr)
  service = await start(['--data', data])
  const { db } = openDatabase(data)
  credentials = `admin:${createAppPassword(db, { login: 'admin', name: 'test' }, 0).password}`
  db.close()
  await post('/annotations', { text: 'New theme', at: day(3), kind: 'deploy' })
  local = await connectAssistant(['--data', data])
  remote = await connectAssistant(['--url', service.url], { env: { FOOTFALL_APP_PASSWORD: credentials } })
})
test.after(async () => {
  await closeAssistants()
  service?.process.kill('SIGTERM')
  await service?.ended
  remove()
})

/** An event of the file for NAME, and a type, key and id for the others. */
const exampleOf = async (name: string): Promise<string> => {
  if (name === 'events/NAME') return `events/${(await api(`/events?from=${from}&to=${to}`)).data[0].name}`
  if (name.includes('ID')) {
    const list = name.startsWith('goals') ? 'goals' : 'funnels'
    return name.replace('ID', String((await api(`/${list}`))[0].id))
  }
  return name.replace('TYPE', 'country').replace('KEY', 'utm_campaign')
}

const routeOf = (name: string): string =>
  name === 'goals' ? '/goals/report' : /^funnels\/\d+$/.test(name) ? `/${name}/report` : `/${name}`

for (const [which, assistant] of [
  ['the file', () => local],
  ['--url', () => remote],
] as const) {
  test(`report: every report, over ${which}`, async () => {
    for (const name of reportNames) {
      const example = await exampleOf(name)
      const ofDays = name !== 'realtime'
      const more = name.endsWith('breakdown') ? { by: 'country' } : {}
      const { body, text, isError } = await assistant().call('report', {
        name: example,
        ...(ofDays && { from, to }),
        filters: more,
      })
      assert.is(isError, false, `${name}: ${text}`)
      const query = new URLSearchParams({
        ...(ofDays && { from, to }),
        ...('truncated' in body && { limit: '25' }),
        ...more,
      })
      const { data: expected, meta } = await api(`${routeOf(example)}?${query}`)
      // Whether the shop's API can be reached is known to the service only.
      if (which === 'the file' && 'api_connected' in expected) expected.api_connected = null
      assert.equal(apiPart(body), timeless({ data: expected, meta }), name)
      assert.ok(text.length > 20, name)
    }
  })

  test(`compare, explain, ask, answers, questions, realtime, annotations, over ${which}`, async () => {
    const { call } = assistant()
    const pages = await call('compare', { name: 'pages', from, to, filters: { device: 'mobile' }, limit: 100 })
    assert.equal(
      apiPart(pages.body),
      timeless(await api(`/pages?from=${from}&to=${to}&device=mobile&limit=100&compare=previous`)),
    )
    assert.ok(pages.body.data.some(({ previous }: any) => previous > 0))

    const explained = await call('explain', { name: 'summary', from, to })
    const { data: figures, meta } = await api(`/summary?from=${from}&to=${to}&explain=1`)
    assert.equal(timeless(explained.body), timeless({ data: figures, meta }))
    assert.match(explained.text, /\nselect /)

    const question = { text: 'how many visitors from Germany last month?' }
    const answered = await call('ask', question)
    assert.equal(timeless(answered.body), timeless(await post('/advisor/ask', question)))
    assert.ok(answered.text.includes(answered.body.answers[0].summary))

    const asked = { ids: (await api('/advisor/questions')).questions.map(({ id }: any) => id), from, to }
    const answers = await call('answers', asked)
    const expected = await post('/advisor/answers', asked)
    assert.is(answers.body.answers.length, asked.ids.length)
    // The state of the installation is that of another process.
    for (const [index, answer] of expected.answers.entries())
      if (!/diagnostics|audit/.test(answer.source?.endpoint ?? ''))
        assert.equal(timeless(answers.body.answers[index]), timeless(answer), answer.id)

    const found = await call('questions', { search: 'bounce rate' })
    const all = (await api('/advisor/questions')).questions
    assert.ok(found.body.questions.length > 0 && found.body.questions.length < 20)
    for (const one of found.body.questions)
      assert.equal(
        one,
        all.find(({ id }: any) => id === one.id),
      )

    assert.equal(timeless((await call('realtime')).body), timeless(await api('/realtime')))
    const noted = await call('annotations', { from, to })
    assert.equal(timeless(noted.body), timeless(await api(`/annotations?from=${from}&to=${to}`)))
    assert.match(noted.text, /New theme/)
  })

  test(`diagnostics and the resources, over ${which}`, async () => {
    const { body } = await assistant().call('diagnostics')
    const expected = await api('/diagnostics')
    const same = ({
      version,
      privacy,
      collection: { queue_depth: _, ...collection },
      database: { tables },
      cron,
    }: any) => ({
      version,
      privacy,
      collection,
      tables: tables.filter(({ name }: any) => /^(view|session|event|page_day)$/.test(name)),
      jobs: cron.jobs.map(({ name }: any) => name),
    })
    assert.equal(same(body), same(expected))

    const read = async (uri: string): Promise<any> => {
      const { contents } = await assistant().client.readResource({ uri })
      return JSON.parse(String((contents[0] as { text: string }).text))
    }
    const { resources } = await assistant().client.listResources()
    assert.equal(
      resources.map(({ uri }) => uri),
      ['footfall://definitions', 'footfall://questions', 'footfall://site'],
    )
    const site = await read('footfall://site')
    assert.equal(
      [site.timezone, site.first_day, site.retention_days],
      ['UTC', day(61), expected.privacy.retention_days],
    )
    assert.equal(await read('footfall://questions'), await api('/advisor/questions'))
    const definitions = await read('footfall://definitions')
    const { meta } = await api(`/pages?from=${from}&to=${to}`)
    for (const [metric, definition] of Object.entries(meta.definitions)) assert.equal(definitions[metric], definition)
  })
}

test('a list goes on where it was cut', async () => {
  const pages: string[] = []
  for (let offset = 0, more = true; more; offset += 25) {
    const { body, text } = await local.call('report', { name: 'pages', from, to, offset })
    pages.push(...body.data.map(({ page }: any) => page))
    more = body.truncated
    if (more) assert.match(text, new RegExp(`truncated: .* Go on with offset ${offset + 25}\\.`))
    else assert.not.match(text, /truncated/)
  }
  const { data: all } = await api(`/pages?from=${from}&to=${to}&limit=200`)
  assert.ok(all.length > 25)
  assert.equal(
    pages,
    all.map(({ page }: any) => page),
  )
})

test('a text holds at most 25 rows, and says where the others are', async () => {
  const { body, text } = await local.call('report', { name: 'summary', from, to })
  assert.is(body.data.series.length, 30)
  assert.is(text.match(/^20\d\d-\d\d-\d\d +\d/gm)?.length, 25)
  assert.match(text, /truncated: 5 more rows are in structuredContent/)
  assert.match(text, /Noted in these days:\n[\s\S]* \(deploy\): New theme/)
  assert.is(
    body.notes.some(({ text: note }: any) => note === 'New theme'),
    true,
  )
})

test('a password that opens reports only is refused everything else by name', async () => {
  const { db } = openDatabase(data)
  const { password } = createAppPassword(db, { login: 'admin', name: 'reports', scopes: ['reports'] }, 0)
  db.close()
  const assistant = await connectAssistant(['--url', service.url, '--allow-annotations'], {
    env: { FOOTFALL_APP_PASSWORD: `admin:${password}` },
  })
  assert.is((await assistant.call('report', { name: 'pages', from, to })).isError, false)
  for (const [tool, args] of [
    ['diagnostics', {}],
    ['annotate', { text: 'No' }],
  ] as const) {
    const { isError, text } = await assistant.call(tool, args)
    assert.equal([isError, text], [true, 'Sorry, you are not allowed to do that.'])
  }
  const stranger = await connectAssistant(['--url', service.url], { env: { FOOTFALL_APP_PASSWORD: 'admin:wrong' } })
  assert.is((await stranger.call('realtime')).isError, true)
})

test.run()
