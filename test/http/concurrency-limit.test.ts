// Few bodies at once: who waits in vain is told so, and a body that does not come ends its turn.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readBody } from '../../src/http/body.ts'
import { ApiError } from '../../src/http/errors.ts'
import { createConcurrencyLimit } from '../../src/http/concurrency-limit.ts'

const failure = async (work: Promise<unknown>): Promise<[number, string] | null> => {
  try {
    await work
    return null
  } catch (error) {
    return error instanceof ApiError ? [error.status, error.code] : [0, String(error)]
  }
}

const requestWith = (body: ReadableStream<Uint8Array>): Request =>
  new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit)

test('turns are given in the order of asking, and one waited for in vain is refused', async () => {
  const { enter } = createConcurrencyLimit(1, 20)
  const leave = await enter()
  assert.equal(await failure(enter()), [429, 'rest_too_many_requests'])
  const order: string[] = []
  const second = enter().then(end => {
    order.push('second')
    end()
  })
  const third = enter().then(end => {
    order.push('third')
    end()
  })
  leave()
  await Promise.all([second, third])
  assert.equal(order, ['second', 'third'])
  assert.is(await failure(enter()), null)
})

test('a body that stops coming is refused after its time', async () => {
  const stalled = new ReadableStream<Uint8Array>({ start: controller => controller.enqueue(new Uint8Array([123])) })
  assert.equal(await failure(readBody(requestWith(stalled), 100, 20)), [408, 'rest_request_timeout'])
})

test('a body in time is read whole', async () => {
  const body = new ReadableStream<Uint8Array>({
    start: controller => {
      for (const byte of [1, 2, 3]) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  assert.equal([...(await readBody(requestWith(body), 100, 5000))], [1, 2, 3])
})

test.run()
