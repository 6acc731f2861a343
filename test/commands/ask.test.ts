// `footfall ask` answers in plain words, while the service runs.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createAppPassword } from '../../src/identity/app-passwords.ts'
import { footfallHere } from '../support/command.ts'
import { type Running, start, temporaryFolder } from '../support/program.ts'
import { sendRecord } from '../support/records.ts'
import { firefox } from '../support/service.ts'

const { path, remove } = temporaryFolder()
const data = path('test.db')
let service: Running

const ask = (...args: string[]) => footfallHere(['ask', '--data', data, ...args])

test.before(async () => {
  service = await start(['--data', data])
  const { db } = openDatabase(data)
  const authorization = `Basic ${btoa(`admin:${createAppPassword(db, { login: 'admin', name: 'test' }, 0).password}`)}`
  db.close()
  for (const page of ['/', '/blog', '/blog']) {
    await sendRecord(`${service.url}/analytics/v1/hit`, {
      method: 'POST',
      body: JSON.stringify({ page_url: page, title: 'A page' }),
      headers: { 'content-type': 'text/plain', 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7' },
    })
  }
  await fetch(`${service.url}/analytics/v1/cron/run`, { method: 'POST', headers: { authorization } })
})

test('the answer is a sentence in the language of the question', async () => {
  const { status, stdout, stderr } = await ask('how many visitors today?')
  assert.is(status, 0, stderr)
  assert.match(stdout, /^1 visitor came to your site; figures in the previous period are incomplete\.\n$/)
  assert.match((await ask('Wie viele Besucher hatte ich heute')).stdout, /^1 Besucher war auf Ihrer Website/)
  assert.match((await ask('combien de visiteurs', '--lang', 'es')).stdout, /^Su sitio tuvo 1 visitante;/)
})

test('a table follows its sentence', async () => {
  const { stdout } = await ask('most viewed pages today')
  assert.match(stdout, /^The most viewed page was “A page” with 2 page views/)
  assert.match(stdout, /^PAGE +TITLE +PAGE VIEWS +VISITORS +SHARE\n\/blog +A page +2 +1 +0\.6667$/m)
})

test('--json is the body of the API, over the days of --from and --to', async () => {
  const asked = JSON.parse((await ask('visitors', '--json', '--from', '2020-01-01', '--to', '2020-01-31')).stdout)
  const [answer] = asked.answers
  assert.equal([answer.id, answer.status, answer.viz.value], ['q2', 'ok', 0])
  assert.equal(asked.understood, {
    from: '2020-01-01',
    to: '2020-01-31',
    period: 'custom',
    compare: null,
    filters: {},
    words: [],
  })
  assert.equal([asked.message, asked.nearest.length, asked.language], [null, 3, 'en'])
  const { status, stdout } = await ask('returning visitors', '--json')
  assert.equal([status, JSON.parse(stdout).answers], [1, []])
})

test('what was understood is shown with the answer', async () => {
  const { stdout, stderr } = await ask('which pages did people from Germany read most yesterday xyzzy')
  assert.match(stdout, /^Counting began on [^.;]+; days before are unknown\. Counted: only country “Germany”\.\n$/)
  assert.match(stderr, /^\(\d{4}-\d\d-\d\d, country=DE\)\nIgnored: “xyzzy”/)
})

test('two questions are answered both', async () => {
  const { stdout } = await ask('how many visitors and which browsers')
  assert.match(stdout, /visitor.*\n+.*Firefox/s)
})

test('what is missing is named with what to do', async () =>
  assert.match((await ask('gross revenue')).stdout, /no shop is connected yet\.\nConnect WooCommerce/))

test('what may mean several things is asked back', async () => {
  const { status, stdout, stderr } = await ask('did you see my test click')
  assert.match(stdout, /^Which events .*\n {2}.+\nHas my own test .*\n {2}.+\n$/i)
  assert.match(stderr, /several things/)
  assert.is(status, 1)
})

test('what cannot be answered ends with a sentence', async () => {
  for (const [code, args, sentence] of [
    [1, ['xyzzy'], /I don’t know that\. Nearest: /],
    [1, ['wie alt sind meine Besucher'], /Das weiß ich nicht\. .*kein Name, Alter/],
    [2, ['a'.repeat(301)], /1 to 300 characters/],
    [2, ['visitors', '--from', '2026-02-30'], /2026-02-30 is not a date/],
    [2, ['visitors', '--from', '2026-02-02', '--to', '2026-02-01'], /--from must not be after --to/],
  ] as const) {
    const { status, stdout, stderr } = await ask(...args)
    assert.equal([status, stdout], [code, ''])
    assert.match(stderr, sentence)
  }
  assert.is((await ask()).status, 2)
})

test.after(async () => {
  service.process.kill()
  await service.ended
  remove()
})

test.run()
