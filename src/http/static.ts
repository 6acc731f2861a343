import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { posix } from 'node:path'
import { brotliCompress, gzipSync } from 'node:zlib'
import type { Handler } from './server.ts'

/** A static text file, plain and compressed on the first request, to keep startup fast. */
export type StaticFile = {
  type: string
  plain: Buffer<ArrayBuffer>
  gzipped: () => Buffer<ArrayBuffer>
  /** Null while it is being made, which takes half a second beside the requests, and for files made for one request. */
  brotli: () => Buffer<ArrayBuffer> | null
  etag: string
  headers: Readonly<Record<string, string>>
}

export const staticFile = (text: string, type: string, headers: Readonly<Record<string, string>>): StaticFile => {
  const plain = Buffer.from(text)
  let gzipped: Buffer<ArrayBuffer> | null = null
  return {
    type,
    plain,
    gzipped: () => (gzipped ??= gzipSync(plain, { level: 9 })),
    brotli: () => null,
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    headers,
  }
}

/** A file of the program: there are few, so each may have its best compression. */
export const assetFile = (text: string, type: string, headers: Readonly<Record<string, string>>): StaticFile => {
  const file = staticFile(text, type, headers)
  let brotli: Buffer<ArrayBuffer> | null | undefined
  const begin = (): null => {
    brotli = null
    // What fails is sent gzipped.
    brotliCompress(file.plain, (_, made) => (brotli = made ?? null))
    return null
  }
  return { ...file, brotli: () => (brotli === undefined ? begin() : brotli) }
}

/** Whether Accept-Encoding names an encoding, and not with a weight of 0. */
export const takes = (accepted: string, encoding: 'br' | 'gzip'): boolean =>
  new RegExp(`(?:^|[\\s,])${encoding}(?![\\w-])(?!\\s*;\\s*q=0(?:\\.0*)?(?:\\s*,|\\s*$))`, 'i').test(accepted)

const encoded = (file: StaticFile, accepted: string): { encoding: string | null; bytes: Buffer<ArrayBuffer> } => {
  const brotli = takes(accepted, 'br') ? file.brotli() : null
  if (brotli !== null) return { encoding: 'br', bytes: brotli }
  return takes(accepted, 'gzip') ? { encoding: 'gzip', bytes: file.gzipped() } : { encoding: null, bytes: file.plain }
}

/**
 * What of a file answers a request, by its Accept-Encoding and If-None-Match (empty without one): 304 without bytes for
 * a client that has it already.
 */
export const selectStatic = (
  file: StaticFile,
  accepted: string,
  known: string,
): { status: 200 | 304; headers: Record<string, string>; bytes: Buffer<ArrayBuffer> | null } => {
  const headers = {
    ...file.headers,
    'content-type': file.type,
    'x-content-type-options': 'nosniff',
    etag: file.etag,
    vary: 'Accept-Encoding',
  }
  if (known === file.etag) return { status: 304, headers, bytes: null }
  const { encoding, bytes } = encoded(file, accepted)
  return { status: 200, headers: { ...headers, ...(encoding !== null && { 'content-encoding': encoding }) }, bytes }
}

const sendStatic = (request: IncomingMessage, response: ServerResponse, file: StaticFile): void => {
  const { 'accept-encoding': accepted = '', 'if-none-match': known = '' } = request.headers
  const { status, headers, bytes } = selectStatic(file, accepted.toString(), known)
  response.writeHead(status, { ...headers, ...(bytes !== null && { 'content-length': bytes.length }) })
  response.end(request.method === 'HEAD' ? null : bytes)
}

/** The tracker with its placeholders filled in: the path to the API, and the pattern of parameters that are read. */
export const trackerText = (script: string, api: string, query: string): string =>
  script.replace('__FOOTFALL_API__', () => api).replace('__FOOTFALL_QUERY__', () => query)

/** Where the tracker is, and beside it the one that counts views only. */
export const trackerPaths = (trackerPath: string): string[] => [...new Set([trackerPath, '/tracker.js'])]
export const corePath = (path: string): string => path.replace(/(\.js)?$/, '.core$1')

/** The tracker served at one path, with the relative path from there to the API. */
export const trackerFile = (script: string, path: string, api: string, query: string): StaticFile =>
  staticFile(
    trackerText(script, posix.relative(posix.dirname(path), api) || '.', query),
    'text/javascript; charset=utf-8',
    {
      'cache-control': 'public, max-age=3600',
      // Loaded by sites on other hosts, including cross-origin isolated ones.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    },
  )

/** Serves a file, made when it is asked for, to GET and HEAD. */
export const serveStatic =
  (fileOf: () => StaticFile): Handler =>
  (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    sendStatic(request, response, fileOf())
    return true
  }
