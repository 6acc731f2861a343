// What is posted to --webhook as the service runs: alerts, digests, and each goal once a day.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const hour = 3_600_000
const day = 24 * hour

type Posted = { event: string; site: string; subject: string; text: string; facts: Record<string, unknown> }

/** A program that takes what is posted; `status` is its answer. */
const withReceiver = async (
  work: (receiver: { url: string; posted: Posted[]; status: number; signatures: unknown[] }) => Promise<void>,
): Promise<void> => {
  const receiver = { url: '', posted: [] as Posted[], status: 204, signatures: [] as unknown[] }
  const server = createServer(async (request, response) => {
    receiver.signatures.push(request.headers['footfall-signature'])
    const body = (await readJson(request)) as Posted
    if (receiver.status < 300) receiver.posted.push(body)
    response.writeHead(receiver.status).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/KEY`
  try {
    await work(receiver)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const run = async (running: Running, job: string): Promise<string> => {
  await running.settled()
  const body = JSON.stringify({ jobs: [job] })
  const answer = await running.api('/cron/run', { method: 'POST', headers: json, body })
  return answer.body.jobs[0].message
}

const flagsFor = (url: string, more: Record<string, string> = {}) => ({
  webhook: url,
  webhookAllowPrivate: 'true',
  siteUrl: 'https://shop.example',
  ...more,
})

const addGoal = ({ api }: Running, name: string, pattern: string) =>
  api('/goals', { method: 'POST', headers: json, body: JSON.stringify({ name, kind: 'page', pattern }) })

const visit = async (running: Running, visitor: number, path: string): Promise<void> => {
  const headers = { 'x-forwarded-for': `203.0.${visitor}.1` }
  const { status } = await running.hit({ page_url: `https://shop.example${path}` }, headers)
  assert.is(status, 204)
}

test('each goal is posted once on a day on which it is reached, in the language of messages', () =>
  withReceiver(async ({ url, posted }) =>
    withService(
      { start: '2026-03-10T12:00:00Z', flags: flagsFor(url, { lang: 'de', publicUrl: 'https://stats.shop.example' }) },
      async running => {
        await addGoal(running, 'Danke {0}', '/thanks')
        await addGoal(running, 'Never', '/never')
        await visit(running, 1, '/')
        assert.match(await run(running, 'alerts'), /Messages sent: 0\.$/)
        await visit(running, 1, '/thanks')
        await visit(running, 2, '/thanks')
        await visit(running, 2, '/thanks')
        assert.match(await run(running, 'alerts'), /Messages sent: 1\.$/)
        await visit(running, 3, '/thanks')
        assert.match(await run(running, 'alerts'), /Messages sent: 0\.$/)
        assert.equal(
          posted.map(({ event, subject, text, facts }) => [event, subject, text, facts]),
          [
            [
              'goal',
              'shop.example: Ziel erreicht: Danke {0}',
              'Das Ziel „Danke {0}“ wurde am 10. März 2026 erreicht, bisher von 2 Besuchen.\n\nDashboard: https://stats.shop.example\n',
              { goal: 'Danke {0}', day: '2026-03-10', visits: 2 },
            ],
          ],
        )
        await running.restart()
        running.clock.now += 60_000
        assert.match(await run(running, 'alerts'), /Messages sent: 0\.$/)
        // What is reached in the last minutes of a day is posted in the first of the next.
        running.clock.now = Date.parse('2026-03-11T23:59:00Z')
        await visit(running, 1, '/thanks')
        running.clock.now = Date.parse('2026-03-12T00:05:00Z')
        assert.match(await run(running, 'alerts'), /Messages sent: 1\.$/)
        assert.is(posted.at(-1)?.facts.day, '2026-03-11')
      },
    ),
  ))

test('an alert is posted when it begins and when it ends, and a goal only if goals are to be', () =>
  withReceiver(async ({ url, posted }) =>
    withService({ start: '2026-02-01T00:00:00Z', flags: flagsFor(url, { webhookEvents: 'alerts' }) }, async running => {
      const { clock, api } = running
      await addGoal(running, 'Any', '/')
      const begin = clock.now
      for (let number = 0; number < 30; number++)
        for (let at = 0; at < (number === 29 ? 11 : 24); at++) {
          clock.now = begin + number * day + at * hour
          await visit(running, at, '/')
        }
      clock.now += 7 * hour
      assert.match(await run(running, 'alerts'), /raised: 1. Messages sent: 1\.$/)
      assert.equal((await api('/alerts')).body.ways, ['webhook'])
      await visit(running, 1, '/')
      assert.match(await run(running, 'alerts'), /raised: 0. Messages sent: 1\.$/)
      assert.equal(
        posted.map(({ event, facts: { kind, state } }) => [event, kind, state]),
        [
          ['alert', 'silent', 'raised'],
          ['alert', 'silent', 'over'],
        ],
      )
      const { body } = await api('/diagnostics')
      assert.equal([body.webhook.configured, body.webhook.last_error], [true, null])
      assert.not.match(JSON.stringify(body), /hooks\/KEY/)
    }),
  ))

test('a digest is posted without any mail, once', () =>
  withReceiver(async receiver =>
    withService({ start: '2026-03-10T12:00:00Z', flags: flagsFor(receiver.url, { digest: 'day' }) }, async running => {
      await visit(running, 1, '/')
      running.clock.now = Date.parse('2026-03-11T06:30:00Z')
      receiver.status = 404
      assert.match(await run(running, 'digest'), /answered with 404/)
      const { body } = await running.api('/diagnostics')
      assert.ok(body.findings.some(({ id }: { id: string }) => id === 'webhook_failed'))
      assert.not.ok(body.findings.some(({ id }: { id: string }) => id === 'mail_missing'))
      receiver.status = 200
      assert.match(await run(running, 'digest'), /Sent: day/)
      assert.match(await run(running, 'digest'), /No digest is due/)
      const [{ event, facts, text } = { event: '', facts: {}, text: '' }, ...more] = receiver.posted
      assert.equal([event, facts, more.length], ['digest', { period: 'day', from: '2026-03-10', to: '2026-03-10' }, 0])
      assert.match(text, /visitor/i)
      const after = await running.api('/diagnostics')
      assert.not.ok(after.body.findings.some(({ id }: { id: string }) => id === 'webhook_failed'))
    }),
  ))

test('alerts --test posts a message beside the service, signed, and says how the last one went', () =>
  withReceiver(async receiver =>
    withService({ start: '2026-03-10T12:00:00Z' }, async ({ file, logs }) => {
      const env = { FOOTFALL_WEBHOOK: receiver.url, FOOTFALL_WEBHOOK_SECRET: 'a secret' }
      const args = ['alerts', '--test', '--lang', 'en', '--data', file]
      const unset = await footfallHere(args)
      assert.equal([unset.status, unset.stdout], [1, ''])
      assert.match(unset.stderr, /--webhook is not set/)
      const inside = await footfallHere(args, { env })
      assert.is(inside.status, 1)
      assert.match(inside.stderr, /127\.0\.0\.1 is in a private network/)
      const sent = await footfallHere([...args, '--webhook-allow-private'], { env })
      assert.equal([sent.status, sent.stderr], [0, ''])
      assert.match(sent.stdout, /^The last message failed at .*private network.*\nPosted to 127\.0\.0\.1:\d+\.\n$/s)
      assert.equal(
        receiver.posted.map(({ event }) => event),
        ['test'],
      )
      assert.match(String(receiver.signatures[0]), /^t=\d+,v1=[0-9a-f]{64}$/)
      const again = await footfallHere([...args, '--webhook-allow-private'], { env })
      assert.match(again.stdout, /^The last message was posted at /)
      assert.not.match([...logs, inside.stderr, sent.stdout].join('\n'), /KEY|a secret/)
    }),
  ))

test.run()
