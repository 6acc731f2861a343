// A small website for tests, on a host of its own.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The text of a page, or what makes its answer. */
export type SitePage = string | ((request: IncomingMessage, response: ServerResponse) => void)

export type Site = {
  /** The address of a path of the site: `url('/shop?x=1')`. */
  url: (path: string) => string
  close: () => Promise<void>
}

/** A whole HTML document. */
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

/** Serves pages by their path, without regard to the query; other paths answer 404 with the page `404`, if there is one. */
export const openSite = async (pages: Record<string, SitePage>, host = 'www.site.test'): Promise<Site> => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const known = Object.hasOwn(pages, pathname)
    const page = pages[known ? pathname : '404'] ?? ''
    response.statusCode = known ? 200 : 404
    if (typeof page === 'function') return page(request, response)
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(page)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
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
