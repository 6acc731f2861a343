// Stands in for the service: serves the tracker, receives what it sends, and answers as a test wants.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import tracker from 'browser:tracker'
import { within } from '../support/wait.ts'

export type Kind = 'hit' | 'event' | 'engagement'

export type Sent = {
  kind: Kind
  path: string
  contentType: string | undefined
  body: Record<string, unknown>
  /** The status it got; 0 for none at all. */
  status: number
}

type Given = { status: number; retryAfter?: number } | 'hang up'
/** A promise keeps the page waiting. */
export type Answer = Given | Promise<Given>

export type Collector = {
  /** The address of a path: `url('/tracker.js')`. */
  url: (path: string) => string
  /** Everything received so far, in order; waiting for a record does not take it away. */
  received: Sent[]
  /** How many requests asked for permission first (CORS preflight). */
  preflights: () => number
  /** Answers for the next hits and events, first come first served; engagement and the rest get 204. */
  answers: Answer[]
  /**
   * Waits for the first record that matches and that no earlier call has given.
   * Rejects after a while, with the name of what it waited for and what arrived instead.
   */
  find: (name: string, matches: (sent: Sent) => boolean) => Promise<Sent>
  /** The same for the next record of a kind. */
  next: (kind: Kind) => Promise<Sent>
  close: () => Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/**
 * Opens a collector on a host of its own. `script` is the path of the tracker, `api` the way from there to the API,
 * both as the service would have them.
 */
export const openCollector = async (script = '/tracker.js', api = 'analytics/v1'): Promise<Collector> => {
  const received: Sent[] = []
  const answers: Answer[] = []
  const given = new Set<Sent>()
  const waiting = new Set<() => void>()
  let preflights = 0

  const take = async (request: IncomingMessage, response: ServerResponse, path: string, kind: Kind): Promise<void> => {
    const body = JSON.parse(await bodyOf(request)) as Record<string, unknown>
    const promised = (kind !== 'engagement' && answers.shift()) || { status: 204 }
    const sent: Sent = { kind, path, contentType: request.headers['content-type'], body, status: 0 }
    if (typeof promised === 'object' && 'status' in promised) sent.status = promised.status
    received.push(sent)
    for (const look of waiting) look()
    const answer = await promised
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
    response.end(tracker.replaceAll('__FOOTFALL_API__', api))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const find = async (name: string, matches: (sent: Sent) => boolean): Promise<Sent> => {
    let look = (): void => {}
    const arrived = new Promise<Sent>(resolve => {
      look = () => {
        const match = received.find(sent => matches(sent) && !given.has(sent))
        if (match === undefined) return
        given.add(match)
        waiting.delete(look)
        resolve(match)
      }
    })
    waiting.add(look)
    look()
    try {
      return await within(name, arrived)
    } catch (error) {
      const last = received.slice(-20).map(sent => JSON.stringify(sent))
      throw new Error([String(error), 'The last to arrive:', ...last].join('\n'))
    } finally {
      waiting.delete(look)
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
