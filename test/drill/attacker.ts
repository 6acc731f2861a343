// Who wants the service to be busy, beside honest visitors: batches, bodies that arrive byte by byte, filtered reports, and requests
// whose answers nobody waits for. Nothing of it reaches the ledger.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from './fixture.ts'
import type { RandomSource } from './random.ts'

const ownAddress = '12.34.56.78'

export type Attack = { url: string; link: string; from: string; to: string; isOver: () => boolean }
/** How many requests of each kind were sent. */
export type Attacked = { batches: number; slow: number; filtered: number; aborted: number }

const headersOf = (link: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-forwarded-for': ownAddress,
  ...(link !== '' && { 'x-footfall-share': link }),
})

/** Reads nothing but the status, of which any is right but that of a fault. */
const expectNoFault = async (asked: Promise<Response>): Promise<void> => {
  const response = await asked
  await response.arrayBuffer()
  expect(response.status < 500, () => `the attacker was answered with ${response.status}`)
}

const filteredPath = ({ from, to }: Attack, random: RandomSource): string =>
  `/pages?from=${from}&to=${to}&limit=200&page=${random.pick(['*a*', '!/page/1', '/page/*'])}&utm_source=${random.pick(['news', '!news', '*e*'])}`

const sendBatch = (attack: Attack, random: RandomSource, link: string): Promise<void> =>
  expectNoFault(
    fetch(`${attack.url}/analytics/v1/batch`, {
      method: 'POST',
      headers: headersOf(link),
      body: JSON.stringify({ requests: Array.from({ length: 25 }, () => ({ path: filteredPath(attack, random) })) }),
    }),
  )

/** Sends a body of which one byte comes at a time, and leaves before its end. */
const sendSlowly = async ({ url, isOver }: Attack, path: string): Promise<void> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {
    /* Closed by the service, as it may. */
  })
  socket.resume()
  socket.write(
    `POST /analytics/v1${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${ownAddress}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n',
  )
  for (let sent = 0; sent < 40 && !isOver() && !socket.destroyed; sent++) {
    socket.write('{')
    await wait(100)
  }
  socket.destroy()
}

/** Does so until it is over. */
export const attack = async (given: Attack, random: RandomSource): Promise<Attacked> => {
  const sent: Attacked = { batches: 0, slow: 0, filtered: 0, aborted: 0 }
  const repeat = async (kind: keyof Attacked, times: number, work: () => Promise<void>): Promise<void> => {
    const lane = async (): Promise<void> => {
      while (!given.isOver()) {
        await work()
        sent[kind] += 1
        await wait(20)
      }
    }
    await Promise.all(Array.from({ length: times }, lane))
  }
  await Promise.all([
    repeat('batches', 4, () => sendBatch(given, random, '')),
    repeat('batches', 4, () => sendBatch(given, random, given.link)),
    repeat('slow', 20, () => sendSlowly(given, random.pick(['/session', '/share-links/open', '/batch']))),
    repeat('filtered', 2, () =>
      expectNoFault(
        fetch(`${given.url}/analytics/v1${filteredPath(given, random)}`, { headers: headersOf(given.link) }),
      ),
    ),
    repeat('aborted', 2, async () => {
      const leaving = new AbortController()
      const headers = headersOf(given.link)
      const asked = fetch(`${given.url}/analytics/v1${filteredPath(given, random)}`, {
        headers,
        signal: leaving.signal,
      })
      setTimeout(() => leaving.abort(), random.below(20))
      await asked.then(answer => answer.arrayBuffer()).catch(() => null)
    }),
  ])
  return sent
}
