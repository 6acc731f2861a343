import script from 'browser:dashboard'
import style from 'browser:dashboard.css'
import flags from 'browser:flags'
import de from 'browser:texts-de'
import en from 'browser:texts-en'
import es from 'browser:texts-es'
import fr from 'browser:texts-fr'
import world from 'browser:world'
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import page from '../dashboard/dashboard.html'
import { pageHeaders } from '../http/page-headers.ts'
import { type StaticFile, staticFile } from '../http/static.ts'
import { languageNames } from '../lib/texts.ts'
import { shownNames } from '../lib/value-names.ts'
import { readAsset } from '../runtime/assets.ts'

/** No third-party resources, no inline code. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "form-action 'none'",
]

const headers = { 'cache-control': 'no-cache', ...pageHeaders(policy) }

const texts = { en, de, fr, es }

/** Adds entries to a JSON object without reading it. */
const withNames = (json: string, names: object): string => `${json.slice(0, -1)},${JSON.stringify(names).slice(1)}`

const assets: readonly { name: string; text: string; type: string }[] = [
  { name: 'dashboard.js', text: script, type: 'text/javascript; charset=utf-8' },
  { name: 'dashboard.css', text: style, type: 'text/css; charset=utf-8' },
  { name: 'world.json', text: world, type: 'application/json' },
  { name: 'flags.json', text: flags, type: 'application/json' },
  ...languageNames.map(language => ({
    name: `texts-${language}.json`,
    text: withNames(texts[language], shownNames(language)),
    type: 'application/json',
  })),
]

/** The URL of an asset contains a hash of its content, so that browsers may cache it forever. */
const urlOf = (name: string, text: string): string =>
  `${name}?v=${createHash('sha256').update(text).digest('hex').slice(0, 12)}`

/** The dashboard at `{root}/` with its assets. They contain no data: figures come from the API after login. */
export const homeFiles = (root: string, api: string): Map<string, StaticFile> => {
  const urls = Object.fromEntries(assets.map(({ name, text }) => [name, urlOf(name, text)]))
  const values: Readonly<Record<string, string>> = { ...urls, api: posix.relative(root === '' ? '/' : root, api) }
  const html = page.replace(/\{\{([\w.-]+)\}\}/g, (_, name: string) => values[name] ?? '')
  return new Map([
    [`${root}/`, staticFile(html, 'text/html; charset=utf-8', headers)],
    [
      `${root}/licenses.txt`,
      staticFile(readAsset('THIRD_PARTY.md').toString(), 'text/plain; charset=utf-8', {
        'cache-control': 'no-cache',
        'x-robots-tag': 'noindex',
      }),
    ],
    ...assets.map(({ name, text, type }): [string, StaticFile] => [
      `${root}/${name}`,
      staticFile(text, type, { 'cache-control': 'public, max-age=31536000, immutable' }),
    ]),
  ])
}
