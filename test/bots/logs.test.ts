// Access logs: their visits are judged by network and pace alone, when they are imported and ever after.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { movingInto } from '../support/moving.ts'
import { firefox, type Running, withService } from '../support/service.ts'

const start = Date.parse('2026-03-10T08:00:00Z') / 1000

/** Requests of one address, each as many seconds after the one before. */
const visit = (address: string, gaps: readonly number[]): [second: number, line: string][] => {
  let second = start
  return gaps.map((gap, page) => {
    second += gap
    const time = new Date(second * 1000)
      .toUTCString()
      .replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000')
    return [second, `${address} - - [${time}] "GET /p${page} HTTP/1.1" 200 1234 "-" "${firefox}"`]
  })
}

const even = Array.from({ length: 9 }, () => 10)
/** More than 60 in an hour. */
const fast = Array.from({ length: 70 }, (_, page) => 3 + (page % 5))
// Addresses of Hetzner, and of a home.
const visits = [visit('88.198.1.1', [0]), visit('5.9.1.1', even), visit('51.38.1.1', fast), visit('91.0.0.1', even)]

const log = visits
  .flat()
  .sort(([one], [other]) => one - other)
  .map(([, line]) => `${line}\n`)
  .join('')

const day = '2026-03-10'

const judged = async ({ api }: Running): Promise<unknown[]> => {
  const { rules } = (await api(`/bots?from=${day}&to=${day}`)).body.data.days[0]
  const { body } = await api(`/dimensions/suspect?from=${day}&to=${day}`)
  return [rules, body.data.map(({ key, sessions }: { key: string; sessions: number }) => [key, sessions])]
}

const expected = [
  { server_network: 1, equal_gaps: 1 },
  [
    ['people', 3],
    ['suspect', 1],
  ],
]

test('visits of a log are suspect by network and pace, and by nothing that a log does not tell', () =>
  withFolder(async folder => {
    const moving = movingInto(folder)
    const path = moving.write('access.log', log)
    const { status, stdout, stderr } = await moving.take(
      path,
      '--format',
      'access-log',
      '--site-url',
      'https://example.org',
    )
    assert.equal([status, stderr], [0, ''])
    assert.match(stdout, /^1 of these days' visits look automated, by network and pace\. The other rules do not apply/m)
    await withService({ file: moving.data, start: '2026-03-20T12:00:00Z' }, async running => {
      assert.equal(await judged(running), expected)
      // The service judges visits that end, and all of them when the operator chooses otherwise.
      running.clock.now += 2 * 3_600_000
      await running.settled()
      for (const suspects of ['leave_out', 'count']) {
        const headers = { 'content-type': 'application/json' }
        await running.api('/bots', { method: 'PUT', headers, body: JSON.stringify({ suspects }) })
        await running.settled()
      }
      assert.equal(await judged(running), expected)
    })
  }))

test.run()
