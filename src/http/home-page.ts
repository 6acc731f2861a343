import { posix } from 'node:path'
import homeScript from 'browser:home'
import page from '../home/home.html'
import { staticFile, type StaticFile } from './static.ts'

/** Nothing from elsewhere, nothing inline but the style, and no frame around it. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const headers = { 'cache-control': 'no-cache', 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY', 'x-robots-tag': 'noindex' }

/** The page at `{root}/` with its script. It tells nothing by itself: figures come from the API, to whoever is logged in. */
export const homeFiles = (root: string, api: string): Map<string, StaticFile> => {
  const script = 'home.js'
  const values: Readonly<Record<string, string>> = { api: posix.relative(root === '' ? '/' : root, api), script }
  const html = page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
  return new Map([
    [`${root}/`, staticFile(html, 'text/html; charset=utf-8', headers)],
    [`${root}/${script}`, staticFile(homeScript, 'text/javascript; charset=utf-8', { 'cache-control': 'no-cache' })],
  ])
}
