// A service that starts again with other options of the file: visitors and readers wait, and nothing is lost.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'

const tell = ({ api }: Running, wordpress_timezone: string) =>
  api('/site', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wordpress_timezone }),
  })

test('hits and reports of the meantime are answered, each once, and the next answer knows the change', () =>
  withService({}, async running => {
    let sent = 0
    let isOver = false
    const statuses = new Set<number>()
    const visitor = async (): Promise<void> => {
      while (!isOver) {
        sent += 1
        // Each of its own address, so that none is throttled.
        const headers = { 'x-forwarded-for': `198.51.${sent >> 8}.${sent & 255}` }
        statuses.add((await running.hit({ page_url: 'https://shop.example/' }, headers)).status)
      }
    }
    const visitors = Promise.all([visitor(), visitor(), visitor()])
    const url = running.service.url
    for (const zone of ['Europe/Kyiv', 'Asia/Tokyo', 'America/Bogota']) {
      await tell(running, zone)
      assert.is((await running.api('/site')).body.timezone, zone)
    }
    isOver = true
    await visitors
    assert.equal([...statuses], [204])
    assert.is(running.service.url, url)
    await running.settled()
    const { views } = (await running.api('/summary?from=2026-03-09&to=2026-03-11')).body.data.totals
    assert.is(views, sent)
    assert.is(running.logs.filter(line => /starts again/.test(line)).length, 3)
  }))

test('a stop while it starts again ends it', () =>
  withService({}, async running => {
    await tell(running, 'Europe/Kyiv')
    await running.restart()
    assert.is((await running.api('/site')).body.timezone, 'Europe/Kyiv')
  }))

test.run()
