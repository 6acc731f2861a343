// docs/glossary.md explains the figures in the product's own words, and the terms it links to are there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import texts from '../../data/dashboard/en.json'
import definitions from '../../data/definitions/en.json'

const file = 'docs/glossary.md'
const marker = 'npm run test:only reports/glossary. -->\n'

/** As the dashboard calls it; those of goals, funnels and paths, and those without a name, are called by their key, in the
 * words of users. */
const nameOf = (key: string): string => {
  const label: unknown = /^(?:goal|funnel|path)_/.test(key) ? undefined : Reflect.get(texts, key)
  const own =
    typeof label === 'string' && !label.includes('{') ? label : key.replaceAll('_', ' ').replace('session', 'visit')
  return `${own.charAt(0).toUpperCase()}${own.slice(1)}`
}

const table = [
  '',
  '| figure | meaning |',
  '|---|---|',
  ...Object.entries(definitions).map(([key, text]) => `| ${nameOf(key)} | ${text.replaceAll('|', '\\|')} |`),
  '',
].join('\n')

test('the figures of docs/glossary.md are those of the product', () => {
  const text = readFileSync(file, 'utf8')
  const [head = ''] = text.split(marker)
  const expected = `${head}${marker}${table}`
  if (process.env.UPDATE === '1') writeFileSync(file, expected)
  assert.fixture(readFileSync(file, 'utf8'), expected, 'run: UPDATE=1 npm run test:only reports/glossary')
})

/** GitHub's name for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

test('its terms are in order, and its links lead somewhere', () => {
  const text = readFileSync(file, 'utf8')
  const terms = [...(text.split('## Figures')[0] ?? '').matchAll(/^\| ([^|]+) \| (?!meaning)/gm)].map(
    ([, term = '']) => term,
  )
  assert.ok(terms.length > 30)
  assert.equal(
    terms,
    terms.toSorted((one, other) => one.localeCompare(other, 'en')),
  )
  for (const [, name = '', anchor] of text.matchAll(/\]\(([\w-]+\.md)(?:#([\w-]+))?\)/g)) {
    const path = join('docs', name)
    assert.ok(existsSync(path), name)
    if (anchor === undefined) continue
    const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      anchorOf(heading),
    )
    assert.ok(headings.includes(anchor), `${name}#${anchor}`)
  }
})

test.run()
