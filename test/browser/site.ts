// A small website for tests, on its own host.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepOpen } from '../support/keep-open.ts'

/** The HTML of a page, or a request handler. */
export type SitePage = string | ((request: IncomingMessage, response: ServerResponse) => void)

export type Site = {
  /** The URL of a path: `url('/shop?x=1')`. */
  url: (path: string) => string
  close: () => Promise<void>
}

/** A complete HTML document. */
export const html = ({
  title = 'A page',
  head = '',
  body = '',
}: {
  title?: string
  head?: string
  body?: string
}): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`

/** Serves pages by path, ignoring the query. Unknown paths get status 404 and the page `404`, if there is one. */
export const openSite = async (pages: Record<string, SitePage>, host = 'www.site.test'): Promise<Site> => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const exists = Object.hasOwn(pages, pathname)
    const page = pages[exists ? pathname : '404'] ?? ''
    response.statusCode = exists ? 200 : 404
    if (typeof page === 'function') return page(request, response)
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(page)
  })
  await new Promise<void>(resolve => keepOpen(server).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: path => `http://${host}:${port}${path}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
