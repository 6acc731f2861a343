// What a visitor's browser and that of the dashboard's user have to fetch.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { ask, startProduct } from './processes.mjs'

/** Bytes of an answer as a browser that takes gzip gets it; of one that was not packed: as it would be. */
const packedSize = async url => {
  const { status, headers, body } = await ask(url, { 'Accept-Encoding': 'gzip' })
  if (status !== 200) throw new Error(`${new URL(url).pathname} answered ${status}`)
  const packed = headers['content-encoding'] === 'gzip'
  return { bytes: packed ? body.length : gzipSync(body, { level: 9 }).length, packed }
}

/** The same with Brotli, which the service makes of a file after its first answer; the page itself is gzipped. */
const smallestSize = async url => {
  for (let tries = 0; tries < 50; tries++) {
    const { headers, body } = await ask(url, { 'Accept-Encoding': 'br' })
    if (headers['content-encoding'] === 'br') return { bytes: body.length, packed: true }
    await sleep(100)
  }
  throw new Error(`${new URL(url).pathname} was not served with Brotli`)
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

/** What a page names in its elements: its own addresses, without images that are part of it, and the texts of a language. */
const partsOf = (html, url) =>
  [...html.matchAll(/ (?:src|href|data-texts-en)="([^"]+)"/g)]
    .map(([, address]) => new URL(address, url))
    .filter(({ protocol }) => protocol === 'http:')
    .map(String)

/** The dashboard's page with all that it loads at once, without figures. */
export const dashboardSize = async context => {
  const product = await startProduct(context, join(context.folder, 'dashboard.db'))
  const { body } = await ask(`${product.url}/`)
  const parts = [await packedSize(`${product.url}/`)]
  for (const address of partsOf(body.toString(), `${product.url}/`)) parts.push(await smallestSize(address))
  await product.stop()
  if (parts.length < 4) throw new Error('the page names no script, style and texts')
  return { bytes: { ...total(parts), note: `${parts.length} files` } }
}
