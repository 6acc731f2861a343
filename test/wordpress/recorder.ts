// Between a WordPress and its service, for the tests of this folder: what the service is asked can be seen.
import { createServer } from 'node:http'
import { keepOpen } from '../support/keep-open.ts'
import type { WordPress } from '../support/wordpress.ts'

export type Recorder = {
  /** By method and path. */
  asked: string[]
  /** Whether the service is away. */
  isAway: boolean
  /** How many batches of requests it was asked since `asked` was emptied. */
  batches: () => number
  close: () => void
}

/** Puts a recorder before the service of a site. */
export const record = async (site: WordPress): Promise<Recorder> => {
  const server = createServer(async (request, response) => {
    recorder.asked.push(`${request.method} ${request.url}`)
    if (recorder.isAway) return void response.writeHead(503).end()
    const { host: _, connection: __, 'transfer-encoding': ___, 'content-length': ____, ...headers } = request.headers
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const method = request.method ?? 'GET'
    const answer = await fetch(site.service.url + request.url, {
      method,
      headers: headers as Record<string, string>,
      ...(method !== 'GET' && { body: Buffer.concat(chunks) }),
    })
    for (const name of ['content-type', 'x-footfall-signature']) {
      const value = answer.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    response.writeHead(answer.status).end(await answer.text())
  })
  const recorder: Recorder = {
    asked: [],
    isAway: false,
    batches: () => recorder.asked.filter(one => one === 'POST /analytics/v1/batch').length,
    close: () => server.close(),
  }
  await new Promise<void>(ready => keepOpen(server).listen(0, '127.0.0.1', ready))
  const at = server.address()
  const address = `http://127.0.0.1:${typeof at === 'object' ? at?.port : 0}`
  await site.wp('option', 'patch', 'update', 'footfall', 'address', address)
  return recorder
}
