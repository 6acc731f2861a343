// A page over HTTPS that sends a hit as the tracker does, and what arrives.
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Sent } from '../../src/bots/evidence.ts'
import { makeCertificate } from '../support/certificate.ts'

const page = `<!doctype html><title>A page</title><script>
fetch('/hit', { method: 'POST', keepalive: true, body: JSON.stringify({
  screen_width: screen.width, screen_height: screen.height, language: navigator.language }) })
</script>`

type Body = { screen_width: number; screen_height: number; language: string }

const textOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value

const sentOf = (headers: IncomingHttpHeaders, { screen_width, screen_height, language }: Body): Sent => ({
  userAgent: headers['user-agent'] ?? '',
  headers: { get: name => textOf(headers[name]) },
  screen: { width: screen_width, height: screen_height },
  language,
})

export type Hits = { url: string; next: () => Promise<Sent>; close: () => void }

export const listen = async (folder: string): Promise<Hits> => {
  const { key, certificate } = makeCertificate(folder, ['localhost'])
  let arrived: (sent: Sent) => void = () => {}
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    async (request, response) => {
      if (request.method === 'POST') {
        arrived(sentOf(request.headers, (await json(request)) as Body))
        response.writeHead(204).end()
      } else response.setHeader('content-type', 'text/html').end(page)
    },
  )
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://localhost:${port}`,
    next: () =>
      new Promise((resolve, reject) => {
        arrived = resolve
        setTimeout(() => reject(new Error('no hit came within 30 seconds')), 30_000).unref()
      }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
