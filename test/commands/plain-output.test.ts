// What a visitor, a shop or an older archive has put in a text neither controls a terminal nor a spreadsheet.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { footfallHere } from '../support/command.ts'
import { footfallBeside, sources } from '../support/program.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, type Running, withService } from '../support/service.ts'
import { line, order, shopOf } from '../support/shop.ts'

const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/
const hostile = 'A\u001b[2J\u009b31m\u202eB\u2066C\u2028D\u007fE\u0000F\u200d'
const plain = 'A[2J31mBCDEF\u200d'

const today = new Date().toISOString()
const flags = { siteUrl: 'https://site.example' }

const run = async ({ file }: Running, ...args: string[]): Promise<string> => {
  const ran = args[0] === 'export' ? footfallBeside : footfallHere
  const { status, stdout, stderr } = await ran([...args, '--data', file])
  assert.is(status, 0, stderr)
  assert.not.match(stdout, controls, args.join(' '))
  return stdout
}

const send = async ({ service }: Running, path: string, body: object): Promise<void> => {
  const { status } = await sendRecord(`${service.url}/analytics/v1/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'text/plain', 'user-agent': firefox },
  })
  assert.is(status, 204)
}

const storedTexts = (file: string): string[] => {
  const { db } = openDatabase(file)
  const texts = [
    'select text from label',
    'select path from page',
    'select source from campaign',
    'select source from origin',
    'select order_id from event',
    'select ifnull(author, resource_type) from page_content',
    'select name from shop_product',
    'select coupons from shop_order',
  ].flatMap(sql => db.prepare(sql).pluck().all().map(String))
  db.close()
  return texts
}

test('controls are dropped from every text on arrival', () =>
  withService({ start: today, flags }, async running => {
    const encoded = encodeURIComponent(hostile)
    const [day] = today.split('T')
    await send(running, 'hit', {
      page_url: `/${encoded}?utm_source=${encoded}`,
      title: hostile,
      author: hostile,
      resource_type: hostile,
    })
    await send(running, 'event', { name: hostile, order_id: hostile, properties: { [hostile]: hostile } })
    const paid = `${day}T00:00:00`
    const sold = order({
      date_created_gmt: paid,
      date_modified_gmt: paid,
      date_paid_gmt: paid,
      line_items: [line({ name: hostile })],
      coupon_lines: [{ code: hostile, discount: '1.00' }],
    })
    assert.equal(await shopOf(running).push(sold), ['stored'])
    const content = { page: '/pushed', title: hostile, author: hostile, resource_type: hostile }
    const pushed = await running.api('/content', {
      method: 'POST',
      body: JSON.stringify(content),
      headers: { 'content-type': 'application/json' },
    })
    assert.is(pushed.status, 200)
    await running.settled()
    const texts = storedTexts(running.file)
    assert.equal(
      texts.filter(text => controls.test(text) || text.includes('\n')),
      [],
    )
    assert.ok(texts.includes(plain) && texts.includes(`/${plain}`))
  }))

/** As an archive of another program brings them. */
const plant = ({ file }: Running): void => {
  const { db } = openDatabase(file)
  db.prepare('update label set text = ? where text = ?').run(`=${hostile}\n;=cmd|' /C calc'!A0`, 'Planted')
  db.prepare('update page set path = ? where path = ?').run(`/${hostile}`, '/planted')
  db.prepare('update origin set source = ?, domain = ?').run(`＝${hostile}`, hostile)
  db.close()
}

const hitPlanted = (running: Running): Promise<void> =>
  send(running, 'hit', { page_url: '/planted', title: 'Planted', referrer: 'https://ref.example/' })

test('report, ask and CSV show no control and no formula of a text in the file; JSON keeps it', () =>
  withService({ start: today, flags }, async running => {
    await hitPlanted(running)
    await running.settled()
    plant(running)
    const table = await run(running, 'report', 'pages')
    assert.match(table, `/${plain}`)
    assert.is(table.trim().split('\n').length, 2)
    const [sentence = ''] = (await run(running, 'ask', 'most viewed pages today')).split('\n')
    assert.match(sentence, `“=${plain} ;=cmd`)
    const title = `"'=${plain} ;'=cmd|' /C calc'!A0"`
    assert.ok((await run(running, 'report', 'pages', '--csv')).includes(`/${plain},${title},`))
    const views = await run(running, 'export', '--format', 'csv')
    assert.ok(views.includes(`/${plain},${title},`))
    assert.ok(views.includes(`,'＝${plain},${plain},`))
    const [row] = JSON.parse(await run(running, 'report', 'pages', '--json')).data
    assert.equal([row.page, row.title], [`/${hostile}`, `=${hostile}\n;=cmd|' /C calc'!A0`])
  }))

test('tail shows no control', () =>
  withService({ start: today, flags }, async running => {
    await hitPlanted(running)
    await running.settled()
    plant(running)
    const [program, ...words] = sources.command
    const child = spawn(program, [...words, 'tail', '--data', running.file], { stdio: ['ignore', 'pipe', 'pipe'] })
    let [shown, said] = ['', '']
    child.stdout.setEncoding('utf8').on('data', text => {
      shown += text
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      said += text
    })
    while (!said.includes('Waiting')) await once(child.stderr, 'data')
    const { db } = openDatabase(running.file)
    db.exec(
      'insert into view select id + (1 << 20), session_id, visitor_id, page_id, title_id, seconds, scroll from view',
    )
    db.close()
    while (!shown.includes('\n')) await once(child.stdout, 'data')
    child.kill('SIGINT')
    await once(child, 'close')
    assert.not.match(shown, controls)
    assert.match(shown, `/${plain}`)
    assert.match(shown, `(＝${plain})`)
  }))

test.run()
