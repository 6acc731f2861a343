// Bodies that are received at a time: slow ones lose their place to new ones, or after a time limit.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readBody } from '../../src/http/body.ts'
import { type BodyPlace, createBodyPlaces } from '../../src/http/body-places.ts'
import { ApiError } from '../../src/http/errors.ts'

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

const stalled = (bytes: number): Request =>
  requestWith(new ReadableStream<Uint8Array>({ start: controller => controller.enqueue(new Uint8Array(bytes)) }))

/** The status for bodies that have lost their place; null for the others. */
const lost = (places: readonly BodyPlace[]): (number | null)[] =>
  places.map(({ signal }) => (signal.aborted ? (signal.reason as ApiError).status : null))

const small = 64 * 1024

test('a stalled body is refused after its timeout', async () => {
  const places = createBodyPlaces(4, 20)
  assert.equal(await failure(readBody(stalled(1), 100, () => places('203.0.113.1'))), [408, 'rest_request_timeout'])
})

test('a body within its timeout is read completely, and leaves its place', async () => {
  const places = createBodyPlaces(4)
  const body = new ReadableStream<Uint8Array>({
    start: controller => {
      for (const byte of [1, 2, 3]) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  const taken: BodyPlace[] = []
  const enter = (): BodyPlace => {
    const place = places('203.0.113.1')
    taken.push(place)
    return place
  }
  assert.equal([...(await readBody(requestWith(body), 100, enter))], [1, 2, 3])
  places('203.0.113.1').leave()
  assert.equal(lost(taken), [null])
})

test('a client has one place: its address, or its IPv6 /64', () => {
  const places = createBodyPlaces(4)
  const taken = ['203.0.113.1', '203.0.113.2', '203.0.113.1', '2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'].map(
    places,
  )
  assert.equal(lost(taken), [429, null, null, 429, null, null])
  for (const place of taken) place.leave()
})

test('private addresses and senders without one may belong to many clients', () => {
  const places = createBodyPlaces(4)
  const taken = ['127.0.0.1', '127.0.0.1', '10.0.0.1', '10.0.0.1', null, null].map(places)
  assert.equal(lost(taken), [null, null, null, null, null, null])
  for (const place of taken) place.leave()
})

test('of too many bodies the oldest loses its place', async () => {
  const places = createBodyPlaces(4)
  const enter = (): BodyPlace => places(null)
  const oldest = failure(readBody(stalled(1), 100, enter))
  const taken = Array.from({ length: 63 }, enter)
  assert.equal(new Set(lost(taken)), new Set([null]))
  taken.push(enter())
  assert.equal(await oldest, [429, 'rest_too_many_requests'])
  taken.push(enter())
  assert.is(lost(taken).indexOf(429), 0)
  assert.is(lost(taken).filter(status => status !== null).length, 1)
  for (const place of taken) place.leave()
})

test('of too many large bodies the oldest loses its place, and no small one does', () => {
  const places = createBodyPlaces(2)
  const taken = Array.from({ length: 5 }, () => places(null))
  const hold = (index: number, bytes: number): void => taken[index]?.hold(bytes)
  hold(0, small)
  for (const index of [2, 1, 1, 2]) hold(index, small + 1)
  assert.equal(lost(taken), [null, null, null, null, null])
  hold(3, small + 1)
  assert.equal(lost(taken), [null, null, 429, null, null])
  taken[1]?.leave()
  hold(4, small + 1)
  assert.equal(lost(taken), [null, null, 429, null, null])
  for (const place of taken) place.leave()
})

test.run()
