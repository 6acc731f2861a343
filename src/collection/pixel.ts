import type { IncomingMessage } from 'node:http'

/** The smallest transparent GIF. */
export const transparentPixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const numbers = new Set(['screen_width', 'screen_height', 'resource_id', 'status', 'age'])

const typed = (key: string, value: string): unknown => {
  if (numbers.has(key) && value !== '') return Number(value)
  return value === 'true' || value === 'false' ? value === 'true' : value
}

/** A hit's body from the picture's query; without a page_url the page that shows the picture counts. */
export const pixelBody = (request: IncomingMessage): Record<string, unknown> => {
  const query = new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'))
  const given = Object.fromEntries([...query].map(([key, value]) => [key, typed(key, value)]))
  return given.page_url === undefined && request.headers.referer !== undefined
    ? { ...given, page_url: request.headers.referer }
    : given
}
