// A mock vendor of city databases: requests with a valid key are redirected to storage at another origin, with a signed
// URL that accepts no credentials. Storage supports range and conditional requests.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { keepOpen } from './keep-open.ts'

export const cityBytes = (name = 'GeoLite2-City-Test'): Buffer => readFileSync(`test/fixtures/mmdb/${name}.mmdb`)

export const tarOf = async (...entries: TarEntry[]): Promise<Buffer> => Buffer.from(await packTar(entries))

/** An archive in the vendor's format: a folder with the licence and the database. */
export const archiveOf = async (
  database: Buffer,
  name = 'GeoLite2-City_20260204/GeoLite2-City.mmdb',
): Promise<Buffer> =>
  gzipSync(
    await tarOf(
      { header: { name: 'GeoLite2-City_20260204/', type: 'directory', size: 0 } },
      { header: { name: 'GeoLite2-City_20260204/LICENSE.txt', size: 7 }, body: 'Licence' },
      { header: { name, size: database.length }, body: database },
    ),
  )

export type Seen = { at: 'vendor' | 'storage'; method: string; url: URL; headers: IncomingMessage['headers'] }
type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean

export type Vendor = {
  /** The option --geoip-licensed-url for a key in the address, and for account and key as a login. */
  byKey: string
  byAccount: string
  storageUrl: string
  keys: Set<string>
  /** Publishes a file with its checksum, unless another one is given. */
  publish: (archive: Buffer, checksum?: string) => void
  seen: Seen[]
  /** The Range headers of the archive's requests, in order. */
  ranges: () => (string | undefined)[]
  /** Handlers that run first; they return true if they handled the request. */
  before: { vendor: Handler; storage: Handler }
  close: () => void
}

const passOn: Handler = () => false

const listen = (server: Server): Promise<string> =>
  new Promise(found => {
    keepOpen(server).listen(0, '127.0.0.1', () => found(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })

/** Responds as object storage does: 200, 206, 304 or 416. */
export const sendFile = (
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  modified = 'Wed, 04 Feb 2026 22:49:29 GMT',
): void => {
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
  const headers = { etag, 'last-modified': modified, 'accept-ranges': 'bytes' }
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end()
  const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
  if (from === undefined || request.headers['if-range'] !== etag)
    return void response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)
  if (Number(from) >= bytes.length)
    return void response.writeHead(416, { ...headers, 'content-range': `bytes */${bytes.length}` }).end()
  response
    .writeHead(206, {
      ...headers,
      'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
      'content-length': bytes.length - Number(from),
    })
    .end(bytes.subarray(Number(from)))
}

export const startVendor = async (...keys: string[]): Promise<Vendor> => {
  const files = new Map<string, Buffer>()
  const seen: Seen[] = []
  const before: Vendor['before'] = { vendor: passOn, storage: passOn }
  let storageUrl = ''

  const isKnown = (url: URL, { authorization = '' }: IncomingMessage['headers']): boolean =>
    known.has(
      url.searchParams.get('license_key') ?? Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString(),
    )
  const known = new Set(keys)
  const vendor = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://vendor')
    seen.push({ at: 'vendor', method: request.method ?? '', url, headers: request.headers })
    if (before.vendor(request, response, url)) return
    if (!isKnown(url, request.headers))
      return void response.writeHead(401).end(`Invalid license key ${url.searchParams.get('license_key') ?? ''}`)
    response
      .writeHead(302, { location: `${storageUrl}/bucket/city.${url.searchParams.get('suffix')}?signature=abc` })
      .end()
  })
  const storage = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://storage')
    seen.push({ at: 'storage', method: request.method ?? '', url, headers: request.headers })
    if (before.storage(request, response, url)) return
    if (request.headers.authorization !== undefined) return void response.writeHead(400).end('InvalidArgument')
    const bytes = files.get(url.pathname)
    if (bytes === undefined) return void response.writeHead(404).end()
    sendFile(request, response, bytes)
  })
  const vendorUrl = await listen(vendor)
  storageUrl = await listen(storage)
  return {
    byKey: `${vendorUrl}/app/geoip_download?edition_id={edition}&license_key={key}&suffix={suffix}`,
    byAccount: `${vendorUrl}/geoip/databases/{edition}/download?suffix={suffix}`,
    storageUrl,
    keys: known,
    seen,
    before,
    publish: (archive, checksum = createHash('sha256').update(archive).digest('hex')) => {
      files.set('/bucket/city.tar.gz', archive)
      files.set('/bucket/city.tar.gz.sha256', Buffer.from(`${checksum}  GeoLite2-City_20260204.tar.gz\n`))
    },
    ranges: () =>
      seen
        .filter(({ at, url }) => at === 'storage' && url.pathname.endsWith('.gz'))
        .map(({ headers }) => headers.range),
    close: () => {
      for (const server of [vendor, storage]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

/** Waits until a partial download has so many bytes on disk; a broken connection loses buffered bytes. */
export const hasCome = async (part: string, bytes: number): Promise<void> => {
  while ((statSync(part, { throwIfNoEntry: false })?.size ?? 0) < bytes)
    await new Promise(resolve => {
      setTimeout(resolve, 20)
    })
}

export const withVendor = async (keys: string[], work: (vendor: Vendor) => Promise<void>): Promise<void> => {
  const vendor = await startVendor(...keys)
  try {
    await work(vendor)
  } finally {
    vendor.close()
  }
}
