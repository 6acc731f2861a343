// The dashboard's requests in batches: within the limits of the service, and again where these refused some.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createBatch } from '../../src/dashboard/app/batch.ts'

const answered = (path: string) => ({ status: 200, headers: {}, body: { path } })
const refused = { status: 413, headers: {}, body: { code: 'rest_payload_too_large' } }
const of = (responses: object[]): Response => new Response(JSON.stringify({ responses }), { status: 207 })
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

test('of many requests at once, 25 are in a batch and two batches run', async () => {
  const sizes: number[] = []
  let [running, most] = [0, 0]
  const send = createBatch(async paths => {
    sizes.push(paths.length)
    most = Math.max(most, (running += 1))
    await turn()
    running -= 1
    return of(paths.map(answered))
  })
  const paths = Array.from({ length: 90 }, (_, index) => `/${index}`)
  const bodies = await Promise.all(paths.map(async path => (await send(path)).json()))
  assert.equal(
    bodies,
    paths.map(path => ({ path })),
  )
  assert.equal([sizes.sort((a, b) => b - a), most], [[25, 25, 25, 15], 2])
  assert.is((await send('/later')).status, 200)
})

test('what did not fit into an answer is sent again, and refused if it fits into none', async () => {
  const sent: string[][] = []
  const send = createBatch(async paths => {
    sent.push(paths)
    const fitting = paths[0] === '/huge' ? 0 : 2
    return of(paths.map((path, index) => (index < fitting ? answered(path) : refused)))
  })
  const statuses = await Promise.all(['/a', '/b', '/huge', '/c'].map(async path => [path, (await send(path)).status]))
  assert.equal(statuses, [
    ['/a', 200],
    ['/b', 200],
    ['/huge', 413],
    ['/c', 200],
  ])
  assert.equal(sent, [['/a', '/b', '/huge', '/c'], ['/huge', '/c'], ['/c']])
})

test('where the service runs as many batches as it can, it is asked again; other refusals are for every request', async () => {
  const statuses = [429, 207, 403]
  const send = createBatch(async paths => {
    const status = statuses.shift()
    return status === 207 ? of(paths.map(answered)) : new Response('{}', { status: status ?? 500 })
  })
  assert.is((await send('/a')).status, 200)
  assert.equal(await Promise.all(['/b', '/c'].map(async path => (await send(path)).status)), [403, 403])
})

test.run()
