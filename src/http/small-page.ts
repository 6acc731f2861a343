// Pages that need neither a login nor the dashboard, such as that of the login itself.
import { createHash } from 'node:crypto'
import { Response } from '@whatwg-node/server'
import { isStorageError } from '../database/errors.ts'
import { escapeHtml } from '../lib/escape-html.ts'
import { ApiError, storageUnavailable } from './errors.ts'
import { pageHeaders } from './page-headers.ts'
import page from './small-page.html'

/** `content` is HTML. */
export type SmallPage = {
  status: number
  title: string
  content: string
  /** The language of the page; English by default. */
  lang?: string
  headers?: Readonly<Record<string, string>>
  cookies?: readonly string[]
}

export const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(values[name] ?? ''))

const hashes = (tag: string, html: string): string =>
  [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))]
    .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join(' ')

/** No external resources, and no inline style or script except those of the page, and the scripts of `withScripts`. */
const policyOf = (withScripts: string): string[] => [
  "default-src 'none'",
  `style-src ${hashes('style', page)}`,
  ...(withScripts === '' ? [] : [`script-src ${hashes('script', withScripts)}`]),
  'img-src data:',
  "connect-src 'self'",
  "form-action 'self'",
]

/** @param withScripts the HTML whose scripts may run on the pages; empty for none */
export const smallPages = (withScripts: string) => {
  const common = {
    'content-type': 'text/html; charset=UTF-8',
    'cache-control': 'no-store',
    ...pageHeaders(policyOf(withScripts)),
  }
  return ({ status, title, content, lang = 'en', headers = {}, cookies = [] }: SmallPage, head: boolean): Response => {
    const html = fill(page, { title, lang }).replace('<!-- content -->', () => content)
    const all = new Headers({ ...common, ...headers, 'content-length': String(Buffer.byteLength(html)) })
    for (const cookie of cookies) all.append('set-cookie', cookie)
    return new Response(head ? null : html, { status, headers: all })
  }
}

/** An expected failure; bugs are rethrown. */
export const expectedFailure = (thrown: unknown): ApiError => {
  const error = isStorageError(thrown) ? storageUnavailable() : thrown
  if (error instanceof ApiError) return error
  throw error
}

export const wrongMethod = (): ApiError =>
  new ApiError(405, 'rest_no_route', 'This page does not support that method.', {}, { allow: 'GET, HEAD, POST' })
