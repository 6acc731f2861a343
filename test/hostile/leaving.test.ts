// Clients that ask and leave: what they asked for is not computed.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { open, portOf } from '../support/hostile.ts'
import { withService } from '../support/service.ts'

test('nothing is computed for clients that leave before it is their turn', () =>
  withService({}, async ({ service, administrator }) => {
    const { postMessage } = Worker.prototype
    let reports = 0
    Worker.prototype.postMessage = function (...sent: Parameters<Worker['postMessage']>) {
      if (sent[0] !== null && typeof sent[0] === 'object' && 'statements' in sent[0]) reports += 1
      return Reflect.apply(postMessage, this, sent)
    }
    const lines = [
      'GET /analytics/v1/pages?from=2026-03-10&to=2026-03-10 HTTP/1.1',
      'Host: a',
      `Authorization: ${administrator}`,
    ]
    try {
      // Of 30 requests that arrive together, one starts in each turn of the event loop.
      const leaving = await open(portOf(service.url))
      leaving.write(`${lines.join('\r\n')}\r\n\r\n`.repeat(30), () => leaving.destroy())
      await once(leaving, 'close')
      const answer = await fetch(`${service.url}/analytics/v1/pages?from=2026-03-10&to=2026-03-10`, {
        headers: { authorization: administrator },
      })
      assert.is(answer.status, 200)
    } finally {
      Worker.prototype.postMessage = postMessage
    }
    assert.ok(reports >= 1 && reports < 15, `${reports} reports`)
  }))

test.run()
