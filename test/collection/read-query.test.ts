// The tracker sends of an address what the service reads of it, and nothing else.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { clickIds } from '../../src/channel/channel.ts'
import { parsePage, readQuery } from '../../src/collection/ingest/page.ts'

const keep = ['p', 'a.b', 'f[x]']

/** What the tracker does with the pattern, see src/tracker/view.ts. */
const sent = (query: string, names = keep): string =>
  [...`&${query}`.matchAll(new RegExp(readQuery(names), 'g'))].map(([pair]) => pair).join('')

/** Without the query itself, which rules look at as it arrives. */
const parse = (query: string) => ({ ...parsePage(`https://example.org/a?${query}`, null, keep), query: '' })

test('the service reads no parameter that the tracker holds back', () => {
  const names = new Set<string>()
  const { get } = URLSearchParams.prototype
  URLSearchParams.prototype.get = name => {
    names.add(name)
    return null
  }
  try {
    parse('x=1')
  } finally {
    URLSearchParams.prototype.get = get
  }
  assert.is(names.size, 5 + 2 + keep.length, 'campaign tags, source and ref, and the kept ones')
  for (const name of names) assert.ok(sent(`${name}=value`).startsWith(`&${name}`), name)
})

for (const query of [
  'p=12&x=1&utm_source=mail&utm_medium=e+mail&utm_campaign=%C3%A4&utm_term=a&utm_content=b',
  'f[x]=1',
  'x=1&f%5Bx%5D=2&a.b=3',
  'aXb=3&p=1.5',
  `p=${'x'.repeat(41)}`,
  'p=&utm_source=&gclid=',
  'ScCid=1&xgclid=1&gclidx=1',
  'source=shop.example&ref=12',
  'source=12&ref=news',
  'gclid=&fbclid=1',
  ...clickIds.map(id => `s=words&${id}=long`),
])
  test(`with and without the rest, ?${query.slice(0, 60)} is read alike`, () =>
    assert.equal(parse(sent(query)), parse(query)))

for (const [query, expected] of [
  ['s=words&q=words&p=two+words', '&s&q&p'],
  ['p=two%20words&=x&x&a+search', '&p'],
  ['gclid=secret', '&gclid'],
] as const)
  test(`of ?${query} is sent "${expected}"`, () => {
    assert.is(sent(query), expected)
    assert.is(sent(query, []), expected)
  })

test.run()
