// The pages of docs/widgets: a client does with each what the program does with it, against a running service.
import { readdirSync, readFileSync } from 'node:fs'
import jsonata from 'jsonata'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { keepService, type Running } from '../support/service.ts'

const documented = 'https://footfall.example.org'
const page = (name: string): string => readFileSync(`docs/widgets/${name}.md`, 'utf8')
const settingsOf = (name: string): any => parse(/```yaml\n(.*?)```/s.exec(page(name))?.[1] ?? '')
const textOf = (name: string, pattern: RegExp): string => {
  const text = pattern.exec(page(name))?.[1]
  if (text === undefined) throw new Error(`docs/widgets/${name}.md has no ${pattern}`)
  return text
}

let running: Running
let key: string
let board: string

const service = keepService({ start: '2026-03-08T10:00:00Z' }, async opened => {
  running = opened
  const { api, clock, hit } = running
  const view = (address: string) => hit({ page_url: '/early' }, { 'x-forwarded-for': address })
  // Nothing is compared with the first day, which was counted in part.
  await view('10.0.1.1')
  clock.now = Date.parse('2026-03-09T09:00:00Z')
  await view('10.0.1.1')
  clock.now = Date.parse('2026-03-10T10:00:00Z')
  for (const visitor of [1, 2, 3]) await view(`10.0.${visitor}.1`)
  await running.settled()
  const post = async (path: string, body: object) =>
    (
      await api(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
    ).body
  key = (await post('/users/me/application-passwords', { name: 'widgets', scopes: ['reports'] })).password
  const frame = [textOf('homarr', /--frame (\S+)/)]
  board = (await post('/share-links', { name: 'Board', frame, counter: { figure: 'views', page: '/blog/*' } })).uuid
})
test.before(service.open)
test.after(service.close)

/** Asks an address of the docs as a program does, by the password for widgets where it has one. */
const ask = (address: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(address.replace(documented, running.service.url).replace('UUID', board), { headers })
const basic = (): string => `Basic ${btoa(`admin:${key}`)}`
const withKey = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('Basic dXNlcjpwYXNz', basic())]),
  )
/** `{{ a.b }}`, as Jinja and n8n read it. */
const fill = (template: string, values: object): unknown =>
  /^\{\{ \$?([\w.]+) \}\}$/
    .exec(template)?.[1]
    ?.split('.')
    .reduce((value: any, name) => value?.[name], values)

test('each page of docs/widgets is tried here, and named by docs/widgets.md', () => {
  const names = readdirSync('docs/widgets').filter(name => name.endsWith('.md'))
  const tests = readFileSync('test/reports/integrations.test.ts', 'utf8')
  const list = readFileSync('docs/widgets.md', 'utf8')
  for (const name of names) {
    assert.ok(tests.includes(`test('docs/widgets/${name}: `), name)
    assert.ok(list.includes(`(widgets/${name})`), name)
  }
})

test('docs/widgets.md: the figures of /now, and addresses that answer', async () => {
  const text = readFileSync('docs/widgets.md', 'utf8')
  const now = await (await ask(`${documented}/analytics/v1/now`, { authorization: basic() })).json()
  const named = [...text.matchAll(/^\| `(\w+)`(?:, `(\w+)`, `(\w+)`|, `(\w+)`)? \|/gm)].flatMap(([, ...names]) =>
    names.filter(name => name !== undefined),
  )
  assert.equal(named.sort(), Object.keys(now).sort())
  const addresses = [...text.matchAll(/https:\/\/footfall\.example\.org\/(?:analytics|frame)[^\s'"`]+/g)]
  assert.ok(addresses.length >= 3)
  for (const [address] of addresses) assert.is((await ask(address)).status, 200, address)
})

test('docs/widgets/homepage.md: a tile of mapped fields', async () => {
  const { href, widget } = settingsOf('homepage')[0].Sites[0].Website
  assert.match(await (await ask(href)).text(), /<!doctype html>/i)
  assert.is(widget.type, 'customapi')
  const figures: any = await (await ask(widget.url, withKey(widget.headers))).json()
  assert.equal(
    widget.mappings.map(({ field, label, scale = 1 }: any) => [label, figures[field] * scale]),
    [
      ['Now', 3],
      ['Visitors', 3],
      ['Change', 200],
    ],
  )
})

test('docs/widgets/home-assistant.md: a sensor with attributes', async () => {
  const [sensor] = settingsOf('home-assistant').sensor
  assert.is(sensor.platform, 'rest')
  const value_json: any = await (await ask(sensor.resource, withKey(sensor.headers))).json()
  assert.is(fill(sensor.value_template, { value_json }), 3)
  assert.equal(
    sensor.json_attributes.map((name: string) => value_json[name]),
    [3, 3, '/early', 0],
  )
})

test('docs/widgets/uptime-kuma.md: up while something is counted, and down an hour later', async () => {
  const row = (name: string): string[] =>
    textOf('uptime-kuma', new RegExp(`^\\| ${name} \\|(.*)\\|$`, 'm'))
      .split('|')
      .map(cell => cell.replaceAll('`', '').trim())
  const [health = '', now = ''] = row('URL')
  assert.is((await ask(health)).status, 200)
  const query = jsonata(row('Json Query').at(-1) ?? '')
  /** Uptime Kuma compares what the query finds as text. */
  const isUp = async (authorization: string): Promise<boolean> => {
    const answer = await ask(now, { authorization })
    return answer.ok && String(await query.evaluate(await answer.json())) === row('Expected Value').at(-1)
  }
  assert.is(await isUp(basic()), true)
  assert.is(await isUp(`Basic ${btoa('admin:wrong')}`), false)
  const { clock } = running
  clock.now += 3_601_000
  assert.is(await isUp(basic()), false)
  clock.now -= 3_601_000
})

test('docs/widgets/homarr.md: an app that answers, and a frame that the board may show', async () => {
  for (const [, address = ''] of page('homarr').matchAll(/`(https:\/\/footfall[^`]+)`/g)) {
    const answer = await ask(address)
    assert.is(answer.status, 200, address)
    if (address.includes('/frame/'))
      assert.match(
        answer.headers.get('content-security-policy') ?? '',
        /frame-ancestors https:\/\/homarr\.example\.org(;|$)/,
      )
  }
})

/** What a panel of Grafana's Infinity data source reads. */
const rowOf = async (url: string, root: string): Promise<object> => {
  const answer = await ask(url, { authorization: basic() })
  assert.is(answer.status, 200, url)
  const found: any = fill(`{{ ${root} }}`, (await answer.json()) as object)
  return Array.isArray(found) ? found[0] : found
}

test('docs/widgets/grafana.md: panels of the file, and those of your own', async () => {
  const { panels } = JSON.parse(readFileSync('docs/widgets/grafana-dashboard.json', 'utf8'))
  assert.ok(panels.length >= 8)
  for (const { title, targets } of panels)
    for (const { url, root_selector: root, columns } of targets) {
      const path = url
        .replace(/^\$\{footfall\}/, documented)
        .replace(/\$\{__from:date:YYYY-MM-DD\}/, '2026-03-01')
        .replace(/\$\{__to:date:YYYY-MM-DD\}/, '2026-03-31')
      assert.not.match(path, /[${]/)
      const row = await rowOf(path, root)
      for (const { selector } of columns) assert.ok(selector in row, `${title}: ${selector}`)
    }
  const own = [...page('grafana').matchAll(/^\| a \w+ \| `([^`]+)` \| `([^`]+)` \| (.*) \|$/gm)]
  assert.is(own.length, 2)
  for (const [, url = '', root = '', columns = ''] of own) {
    const row = await rowOf(url, root)
    for (const [, name = ''] of columns.matchAll(/`(\w+)`/g)) assert.ok(name in row, `${url}: ${name}`)
  }
})

test('docs/widgets/n8n.md: a report for the next node, and one for a shell', async () => {
  const $json = await (await ask(textOf('n8n', /```\n(\S+)\n```/), { authorization: basic() })).json()
  assert.is(fill(textOf('n8n', /`(\{\{[^`]+)`/), { json: $json }), 1)
  const report: any = await (
    await ask(textOf('n8n', /curl -u admin:PASSWORD '(\S+)'/), { authorization: basic() })
  ).json()
  assert.ok(Array.isArray(report.data))
})

test.run()
