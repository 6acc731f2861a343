// What the rules of headers and device say of requests of people and of machines.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { evidenceOf } from '../../src/bots/evidence.ts'
import { isSuspect, rulesIn, type SuspicionRule } from '../../src/bots/rules.ts'
import { check } from '../support/property.ts'
import { hints, people, type Request } from './people.ts'

const judge = ({ userAgent, headers, screen, language }: Omit<Request, 'name'>): number =>
  evidenceOf({
    userAgent,
    headers: new Map(Object.entries(headers)),
    screen: screen === null ? null : { width: screen[0], height: screen[1] },
    language,
  })

test('people are not suspect, and few have a rule against them', () => {
  for (const person of people) {
    const evidence = judge(person)
    assert.equal(rulesIn(evidence), person.rule === undefined ? [] : [person.rule], person.name)
    assert.not(isSuspect(evidence, 0), person.name)
  }
  assert.ok(people.filter(({ rule }) => rule !== undefined).length < people.length / 15)
})

const agent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const phone =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'
const edge = `${agent} Edg/140.0.0.0`

const real = hints({ Chromium: '140', 'Google Chrome': '140' }, 'Windows')
const sent = { origin: 'https://example.org', 'accept-language': 'en-US,en;q=0.9', 'sec-fetch-site': 'cross-site' }
const base = { userAgent: agent, headers: { ...sent, ...real }, screen: [1920, 1080], language: 'en-US' } as const

type Machine = { name: string; rules: readonly SuspicionRule[] } & Partial<Omit<Request, 'name' | 'rule'>>
const machines: readonly Machine[] = [
  { name: 'a program that copies an agent', headers: sent, rules: ['no_client_hints'] },
  { name: 'the same with the agent of a phone', userAgent: phone, headers: sent, rules: ['no_client_hints'] },
  { name: 'hints without a brand', headers: { ...sent, 'sec-ch-ua': '' }, rules: ['no_client_hints'] },
  {
    name: 'a page whose referrer policy hides its origin',
    headers: { ...sent, origin: 'null' },
    rules: ['no_client_hints'],
  },
  { name: 'no languages', headers: { origin: 'https://example.org', ...real }, rules: ['no_accept_language'] },
  { name: 'an empty list', headers: { ...sent, ...real, 'accept-language': ' ' }, rules: ['no_accept_language'] },
  {
    name: 'nothing but the agent',
    headers: { origin: 'https://example.org' },
    rules: ['no_client_hints', 'no_accept_language'],
  },
  {
    name: 'another version',
    headers: { ...sent, ...hints({ Chromium: '156' }, 'Windows') },
    rules: ['other_client_hints'],
  },
  {
    name: 'another system',
    headers: { ...sent, ...hints({ Chromium: '140' }, 'Linux') },
    rules: ['other_client_hints'],
  },
  {
    name: 'a phone on a server',
    userAgent: phone,
    headers: { ...sent, ...hints({ Chromium: '140' }, 'Linux') },
    rules: ['other_client_hints'],
  },
  {
    name: 'a phone of another version',
    userAgent: phone,
    headers: { ...sent, ...hints({ Chromium: '156' }, 'Android', '?1') },
    rules: ['other_client_hints'],
  },
  {
    name: 'a bare Chromium that says it has Windows',
    headers: { ...sent, ...hints({ Chromium: '140' }, 'Windows') },
    rules: ['other_client_hints'],
  },
  {
    name: 'the empty brand of years ago',
    headers: { ...sent, ...real, 'sec-ch-ua': '" Not A;Brand";v="99", "Chromium";v="140", "Google Chrome";v="140"' },
    rules: ['other_client_hints'],
  },
  { name: 'an iPhone with hints', userAgent: safari, rules: ['other_client_hints'] },
  { name: 'a Firefox with hints', userAgent: firefox, rules: ['other_client_hints'] },
  { name: 'an Edge that is none', userAgent: edge, rules: ['other_client_hints'] },
  { name: 'a language set for the page alone', language: 'de-AT', rules: ['other_language'] },
  {
    name: 'headers of opening a page',
    headers: { ...sent, ...real, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' },
    rules: ['impossible_fetch'],
  },
  {
    name: 'that, by any agent',
    userAgent: 'x',
    headers: { 'sec-fetch-mode': 'navigate' },
    rules: ['impossible_fetch'],
  },
  { name: 'no screen', screen: [0, 0], rules: ['no_screen'] },
  { name: 'the screen of a browser without one', screen: [800, 600], rules: ['small_screen'] },
  { name: 'that of an iPhone', userAgent: safari, headers: sent, screen: [800, 600], rules: ['small_screen'] },
  {
    name: 'everything at once',
    headers: { ...hints({ Chromium: '99' }, 'Linux'), 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' },
    screen: [800, 600],
    rules: ['other_client_hints', 'no_accept_language', 'impossible_fetch', 'small_screen'],
  },
]

test('machines', () => {
  assert.is(judge(base), 0)
  for (const { name, rules, ...changes } of machines) assert.equal(rulesIn(judge({ ...base, ...changes })), rules, name)
})

const names = ['origin', 'accept-language', 'sec-ch-ua', 'sec-ch-ua-platform', 'sec-fetch-site', 'sec-fetch-mode']
const fragments = ['"Chromium";v="', 'en', ',', ';q=0.9', '"Windows"', 'https://', '"', '(', ')', '\0', 'é', '9', ' ']
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 1000 }),
  fc
    .tuple(fc.constantFrom(...fragments), fc.constantFrom(...fragments), fc.nat(8000))
    .map(([one, other, count]) => `${one}${other}`.repeat(count).slice(0, 16_000)),
  fc.array(fc.constantFrom(...fragments), { maxLength: 100 }).map(parts => parts.join('')),
)

test('hostile headers do no harm, and their length is no evidence', () => {
  const agents = fc.oneof(hostile, fc.constantFrom(agent, phone, safari, firefox, edge))
  const headers = fc.dictionary(fc.constantFrom(...names), hostile)
  const number = fc.oneof(fc.double(), fc.constantFrom(0, 600, 800))
  const sizes = fc.option(fc.tuple(number, number))
  check(
    fc.property(agents, headers, sizes, fc.option(hostile), (userAgent, values, screen, language) => {
      const request = { userAgent, headers: values, screen, language }
      const evidence = judge(request)
      assert.is(evidence >>> 0, evidence)
      // What is remembered of a header is what was seen of it.
      assert.is(judge(request), evidence)
    }),
    { numRuns: 200 },
  )
  for (const text of ['en,'.repeat(5000), '"Chromium";v="1",'.repeat(900), `${'('.repeat(8000)}`])
    assert.is(judge({ ...base, headers: { ...base.headers, 'accept-language': text, 'sec-ch-ua': text } }), 0)
  assert.is(judge({ ...base, userAgent: `${agent}${' '.repeat(15_000)}`, headers: sent }), 0)
})

test('rules of one kind count once', () => {
  const evidence = judge({ ...base, headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' } })
  assert.equal(rulesIn(evidence), ['no_client_hints', 'no_accept_language', 'impossible_fetch'])
  assert.not(isSuspect(evidence, 0))
})

test.run()
