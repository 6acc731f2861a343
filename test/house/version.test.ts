// The version's number is in several files, which agree; CONTRIBUTING.md has the recipe of a release.
import { globSync, readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const textOf = (path: string): string => readFileSync(path, 'utf8')
const { version } = JSON.parse(textOf('package.json')) as { version: string }

/** What precedes the number, by files. */
const places: readonly [pattern: string, files: readonly string[]][] = [
  ['^ {2}"version": "', ['package-lock.json', 'packages/tracker/package.json']],
  ['^ \\* Version: +', ['wordpress/footfall/footfall.php']],
  ["^const VERSION = '", ['wordpress/footfall/footfall.php']],
  ['footfall-tracker-', ['docs/frameworks.md', 'packages/tracker/README.md']],
  ['apt-get install \\./footfall_', ['docs/operate.md', 'docs/upgrade.md']],
  ['footfall-', ['docs/upgrade.md', 'docs/container.md', 'packaging/templates/yunohost/manifest.toml']],
  ['registry\\.example\\.org/footfall:', ['docs/container.md', 'packaging/compose.yaml']],
  ['^Stable tag: ', ['wordpress/footfall/readme.txt']],
  ['--branch v', ['docs/upgrade.md']],
  ['registry\\.example\\.org/footfall:', globSync('packaging/templates/*/*compose*')],
  [
    '^\\s*"?version"?[:= ]+"',
    globSync('packaging/templates/{dokploy,runtipi,umbrel,yunohost}/{meta,config,umbrel-app,manifest}.*'),
  ],
]

test('every place has the number of package.json', () => {
  const differing = places.flatMap(([pattern, files]) =>
    files.flatMap(path => {
      const found = [...textOf(path).matchAll(new RegExp(`${pattern}(\\d+\\.\\d+\\.\\d+)`, 'gm'))].map(
        ([, name]) => name,
      )
      if (found.length === 0) return [`${path} has no version behind ${pattern}`]
      return found.filter(name => name !== version).map(name => `${path} says ${name}, not ${version}`)
    }),
  )
  assert.equal(differing, [])
})

test('the newest version of the changelog is this one; only it may be unreleased', () => {
  const headings = [...textOf('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, name = '']) => name)
  assert.match(headings[0] ?? '', new RegExp(`^${version} - (?:\\d{4}-\\d\\d-\\d\\d|Unreleased)$`))
  for (const heading of headings.slice(1)) assert.match(heading, /^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/)
})

test.run()
