// Raw requests over a plain socket, and their responses.
import { connect, type Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { firefox } from './service.ts'
import { patience } from './wait.ts'

export const api = '/analytics/v1'

export const portOf = (url: string): number => Number(new URL(url).port)

/**
 * Resolves with everything received until the service closes the connection, or until it has been idle for
 * `idleTimeout` milliseconds, as after an incomplete request.
 */
export const sendBytes = (port: number, bytes: Uint8Array | string, idleTimeout = patience * 1000): Promise<string> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', () => {
      /* A reset connection is a valid outcome; `close` follows. */
    })
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.setTimeout(idleTimeout, () => socket.destroy())
    socket.write(bytes)
  })

/** Opens a connection. */
export const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })

/** A request with its Content-Length, forwarded for a client by a trusted proxy. */
export const request = (line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string =>
  [
    `${line} HTTP/1.1`,
    ...Object.entries({
      Host: 'footfall.example.org',
      'User-Agent': firefox,
      'X-Forwarded-For': '203.0.113.7',
      Connection: 'close',
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')

export const json = { 'Content-Type': 'application/json' }

export const statusOf = (answer: string): number | null => {
  const status = /^HTTP\/1\.1 (?!100)(\d{3})/m.exec(answer)?.[1]
  return status === undefined ? null : Number(status)
}

/** Whether a response has no status 5xx and reveals no internals. */
export const isHarmless = (answer: string): boolean =>
  !/^HTTP\/1\.1 5|internal_error|\.(?:cjs|ts):\d+|node:internal/m.test(answer)

export const assertHarmless = (answer: string, what: string): void =>
  assert.ok(isHarmless(answer), `${what}: ${answer.slice(0, 2000)}`)
