// A mock of the service: serves the tracker, records what it sends, and responds as the test specifies.

import tracker from 'browser:tracker'
import core from 'browser:tracker.core'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readQuery } from '../../src/collection/ingest/page.ts'
import { trackerText } from '../../src/http/static.ts'
import { keepOpen } from '../support/keep-open.ts'
import { within } from '../support/wait.ts'

export type Kind = 'hit' | 'event' | 'engagement'

export type Sent = {
  kind: Kind
  path: string
  contentType: string | undefined
  body: Record<string, unknown>
  /** The status of the response; 0 without a response. */
  status: number
}

type Reply = { status: number; retryAfter?: number } | 'hang up'
/** A promise delays the response. */
export type Answer = Reply | Promise<Reply>

export type Collector = {
  /** The address of a path: `url('/tracker.js')`. */
  url: (path: string) => string
  /** All records so far, in order. `find` and `next` do not remove any. */
  received: Sent[]
  /** The number of CORS preflight requests. */
  preflights: () => number
  /** Responses for the next hits and events, in order; all other requests get 204. */
  answers: Answer[]
  /**
   * Waits for the first matching record that no earlier call has returned.
   * Rejects after a timeout, with `name` and the records that arrived.
   */
  find: (name: string, matches: (sent: Sent) => boolean) => Promise<Sent>
  /** Waits for the next record of a kind. */
  next: (kind: Kind) => Promise<Sent>
  close: () => Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/**
 * Starts a collector on its own host. `script` is the path of the tracker, `api` the path of the API relative to it,
 * and `keep` holds the names of `--keep-query`.
 */
export const openCollector = async (
  script = '/tracker.js',
  api = 'analytics/v1',
  keep: readonly string[] = ['p'],
): Promise<Collector> => {
  const received: Sent[] = []
  const answers: Answer[] = []
  const returned = new Set<Sent>()
  const waiting = new Set<() => void>()
  let preflights = 0

  const take = async (request: IncomingMessage, response: ServerResponse, path: string, kind: Kind): Promise<void> => {
    const body = JSON.parse(await bodyOf(request)) as Record<string, unknown>
    const reply = (kind !== 'engagement' && answers.shift()) || { status: 204 }
    const sent: Sent = { kind, path, contentType: request.headers['content-type'], body, status: 0 }
    if (typeof reply === 'object' && 'status' in reply) sent.status = reply.status
    received.push(sent)
    for (const check of waiting) check()
    const answer = await reply
    if (answer === 'hang up') return void request.socket.destroy()
    if (answer.retryAfter) response.setHeader('Retry-After', answer.retryAfter)
    response.writeHead((sent.status = answer.status)).end()
  }

  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After')
    const kind = /\/(hit|event|engagement)$/.exec(path)?.[1] as Kind | undefined
    if (request.method === 'OPTIONS') preflights++
    if (kind && request.method === 'POST') return void take(request, response, path, kind)
    if (path !== script) return void response.writeHead(path === '/quiet' ? 200 : 404).end()
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8')
    response.end(trackerText(script.endsWith('.core.js') ? core : tracker, api, readQuery(keep)))
  })
  await new Promise<void>(resolve => keepOpen(server).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const find = async (name: string, matches: (sent: Sent) => boolean): Promise<Sent> => {
    let check = (): void => {}
    const arrived = new Promise<Sent>(resolve => {
      check = () => {
        const match = received.find(sent => matches(sent) && !returned.has(sent))
        if (match === undefined) return
        returned.add(match)
        waiting.delete(check)
        resolve(match)
      }
    })
    waiting.add(check)
    check()
    try {
      return await within(name, arrived)
    } catch (error) {
      const last = received.slice(-20).map(sent => JSON.stringify(sent))
      throw new Error([String(error), 'The last records:', ...last].join('\n'))
    } finally {
      waiting.delete(check)
    }
  }

  return {
    url: path => `http://footfall.collector.test:${port}${path}`,
    received,
    preflights: () => preflights,
    answers,
    find,
    next: kind => find(`the next ${kind}`, sent => sent.kind === kind),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
