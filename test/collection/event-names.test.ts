// Names of events keep the letters of every script.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'

const names: readonly [sent: string, kept: string][] = [
  ['登録', '登録'],
  ['購入', '購入'],
  ['Кошик', 'Кошик'],
  ['Größe', 'Größe'],
  ['Gro\u0308ße', 'Größe'],
  ['Outbound Link: Click', 'Outbound Link: Click'],
  ['हिन्दी', 'हिन्दी'],
  [' a\tb\u0007\u202ec ', 'a bc'],
  ['a/b!', 'a_b_'],
  ['x'.repeat(70), 'x'.repeat(64)],
  ['mail ann@example.com', 'mail _redacted_'],
]

const send = ({ service }: Running, name: string) =>
  fetch(`${service.url}/analytics/v1/event`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
    body: JSON.stringify({ name, page_url: '/' }),
  })

test('names of events keep letters, marks and digits of every script, spaces and colons', () =>
  withService({}, async running => {
    for (const [name] of names) assert.is((await send(running, name)).status, 204, name)
    assert.is((await send(running, 'x'.repeat(101))).status, 400)
    assert.is((await send(running, ' \u0007')).status, 400)
    await running.settled()
    const { body } = await running.api('/events?from=2026-03-10&to=2026-03-10&limit=50')
    const expected = new Map<string, number>()
    for (const [, kept] of names) expected.set(kept, (expected.get(kept) ?? 0) + 1)
    assert.equal(new Map(body.data.map(({ name, total }: any) => [name, total]).sort()), new Map([...expected].sort()))
    const one = await running.api(`/events/${encodeURIComponent('Outbound Link: Click')}?from=2026-03-10&to=2026-03-10`)
    assert.is(one.body.data.total, 1)
  }))

test.run()
