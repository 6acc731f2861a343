import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import script from 'browser:dashboard'
import style from 'browser:dashboard.css'
import world from 'browser:world'
import { readAsset } from '../runtime/assets.ts'
import page from '../dashboard/dashboard.html'
import { pageHeaders } from './page-headers.ts'
import { staticFile, type StaticFile } from './static.ts'

/** Nothing from elsewhere, nothing inline. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "form-action 'none'",
]

const headers = { 'cache-control': 'no-cache', ...pageHeaders(policy) }

const parts: readonly { name: string; text: string; type: string }[] = [
  { name: 'dashboard.js', text: script, type: 'text/javascript; charset=utf-8' },
  { name: 'dashboard.css', text: style, type: 'text/css; charset=utf-8' },
  { name: 'world.json', text: world, type: 'application/json' },
]

/** The address of a part names its version, so that browsers may keep it for good. */
const addressOf = (name: string, text: string): string =>
  `${name}?v=${createHash('sha256').update(text).digest('hex').slice(0, 12)}`

/** The dashboard at `{root}/` with its parts. It tells nothing by itself: figures come from the API, to whoever is logged in. */
export const homeFiles = (root: string, api: string): Map<string, StaticFile> => {
  const addresses = Object.fromEntries(parts.map(({ name, text }) => [name, addressOf(name, text)]))
  const values: Readonly<Record<string, string>> = { ...addresses, api: posix.relative(root === '' ? '/' : root, api) }
  const html = page.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => values[name] ?? '')
  return new Map([
    [`${root}/`, staticFile(html, 'text/html; charset=utf-8', headers)],
    [
      `${root}/licenses.txt`,
      staticFile(readAsset('THIRD_PARTY.md').toString(), 'text/plain; charset=utf-8', {
        'cache-control': 'no-cache',
        'x-robots-tag': 'noindex',
      }),
    ],
    ...parts.map(({ name, text, type }): [string, StaticFile] => [
      `${root}/${name}`,
      staticFile(text, type, { 'cache-control': 'public, max-age=31536000, immutable' }),
    ]),
  ])
}
