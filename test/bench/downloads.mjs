// What a visitor's browser and that of the dashboard's user have to fetch.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ask, startProduct } from './processes.mjs'

/** Bytes of an answer as a browser that takes gzip gets it; of one that was not packed: as it would be. */
const packedSize = async url => {
  const { status, headers, body } = await ask(url, { 'Accept-Encoding': 'gzip' })
  if (status !== 200) throw new Error(`${new URL(url).pathname} answered ${status}`)
  const packed = headers['content-encoding'] === 'gzip'
  return { bytes: packed ? body.length : gzipSync(body, { level: 9 }).length, packed }
}

const total = parts => ({
  value: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  ...(parts.some(({ packed }) => !packed) && { note: 'not all served packed: packed here' }),
})

export const trackerSize = async context => {
  const product = await startProduct(context, join(context.folder, 'tracker.db'))
  const tracker = await packedSize(`${product.url}/tracker.js`)
  await product.stop()
  return { bytes: total([tracker]) }
}

/** What a page names in its elements: its own addresses, without images that are part of it. */
const partsOf = (html, url) =>
  [...html.matchAll(/ (?:src|href)="([^"]+)"/g)]
    .map(([, address]) => new URL(address, url))
    .filter(({ protocol }) => protocol === 'http:')
    .map(String)

/** The dashboard's page with all that it loads at once, without texts and figures. */
export const dashboardSize = async context => {
  const product = await startProduct(context, join(context.folder, 'dashboard.db'))
  const { body } = await ask(`${product.url}/`)
  const parts = []
  for (const address of [`${product.url}/`, ...partsOf(body.toString(), `${product.url}/`)])
    parts.push(await packedSize(address))
  await product.stop()
  if (parts.length < 3) throw new Error('the page names no script and style')
  return { bytes: { ...total(parts), note: `${parts.length} files` } }
}
