// One client, however its address is written: IPv4, mapped, of NAT64, and all of a 6to4 network.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sendRecord } from '../support/records.ts'
import { firefox, type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const range = 'from=2026-03-10&to=2026-03-10'
/** All of them are 203.0.113.9. */
const forms = [
  '203.0.113.9',
  '::ffff:203.0.113.9',
  '64:ff9b::cb00:7109',
  '2002:cb00:7109::1',
  '2002:cb00:7109:1:2:3:4:5',
  '2002:cb00:7109:ffff::',
]
const formOf = (index: number): string => forms[index % forms.length] ?? ''

const hitOf = ({ hit }: Running, index: number, body: object = {}) =>
  hit({ page_url: '/a', ...body }, { 'x-forwarded-for': formOf(index), 'x-footfall-check': '1' })

test('it is one visitor, and has one throttle', () =>
  withService({}, async running => {
    const statuses: number[] = []
    for (let index = 0; index < 66; index++) statuses.push((await hitOf(running, index)).status)
    assert.equal(
      statuses.map(status => status === 204),
      Array.from({ length: 66 }, (_, index) => index < 60),
    )
    await running.settled()
    assert.is((await running.api(`/summary?${range}`)).body.data.totals.visitors, 1)
  }))

test('it has one share of what is new on a day', () =>
  withService({}, async running => {
    for (let index = 0; index < 30; index++)
      await sendRecord(`${running.service.url}/analytics/v1/event`, {
        method: 'POST',
        body: JSON.stringify({ name: `new-${index}`, page_url: '/a' }),
        headers: { ...json, 'user-agent': firefox, 'x-forwarded-for': formOf(index) },
      })
    await running.settled()
    const { data } = (await running.api(`/events?${range}&limit=100`)).body
    assert.is(data.filter(({ name }: { name: string }) => name.startsWith('new-')).length, 20, JSON.stringify(data))
  }))

test('it has one number of failed logins, of batches, and one entry among the excluded addresses', () =>
  withService({}, async running => {
    const statuses: number[] = []
    for (let index = 0; index < 12; index++) {
      running.clock.now += 2000
      const { status } = await running.api('/session', {
        method: 'POST',
        body: JSON.stringify({ login: 'admin', password: `wrong ${index}` }),
        headers: { ...json, 'x-forwarded-for': formOf(index) },
        as: 'nobody',
      })
      statuses.push(status)
    }
    assert.equal(statuses, [...Array(10).fill(401), 429, 429])

    const requests = Array(25).fill({ path: `/pages?${range}` })
    const batches = await Promise.all(
      forms.map(form =>
        running.api('/batch', {
          method: 'POST',
          body: JSON.stringify({ requests }),
          headers: { ...json, 'x-forwarded-for': form },
        }),
      ),
    )
    assert.equal(batches.map(({ status }) => status).sort(), [207, 207, 429, 429, 429, 429])

    for (const entry of ['203.0.113.9', '64:ff9b::203.0.113.9', '2002:cb00:7109::/48', '2002:cb00:7100::/40']) {
      const body = JSON.stringify({ excluded_ips: [entry] })
      assert.is((await running.api('/settings', { method: 'PUT', body, headers: json })).status, 200)
      running.clock.now += 60_000
      for (const index of forms.keys())
        assert.is(
          (await hitOf(running, index)).headers.get('x-footfall-outcome'),
          'excluded_ip',
          `${entry} ${formOf(index)}`,
        )
    }
  }))

test.run()
