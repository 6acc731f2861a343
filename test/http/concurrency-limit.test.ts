// Limited concurrency of bodies: waiting requests time out, and a stalled body releases its slot.
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

test('waiting requests are served in order of arrival, and refused after the timeout', async () => {
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

test('a stalled body is refused after its timeout', async () => {
  const stalled = new ReadableStream<Uint8Array>({ start: controller => controller.enqueue(new Uint8Array([123])) })
  assert.equal(await failure(readBody(requestWith(stalled), 100, 20)), [408, 'rest_request_timeout'])
})

test('a body within its timeout is read completely', async () => {
  const body = new ReadableStream<Uint8Array>({
    start: controller => {
      for (const byte of [1, 2, 3]) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  assert.equal([...(await readBody(requestWith(body), 100, 5000))], [1, 2, 3])
})

test.run()
