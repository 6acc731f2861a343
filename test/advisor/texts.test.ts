// What the advisor says, without a service: the inventory, the sentences in four languages, the formats, and its method
// for anomalies.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findAnomaly } from '../../src/advisor/anomaly.ts'
import { countryOfZone } from '../../src/advisor/home-country.ts'
import { categories, questions } from '../../src/advisor/inventory.ts'
import { questionText, rangePhrase, sentence, textsOf, trendPhrase } from '../../src/advisor/language.ts'
import { listQuestions } from '../../src/advisor/listing.ts'
import { blackFriday } from '../../src/advisor/questions/campaigns.ts'
import { chooseLanguage, languageNames } from '../../src/lib/texts.ts'
import { shownNames } from '../../src/lib/value-names.ts'

const march = { from: 20260301, to: 20260331 }
const ranges = [
  march,
  { from: 20260310, to: 20260310 },
  { from: 20260209, to: 20260310 },
  { from: 20260301, to: 20260307 },
  { from: 20251220, to: 20260103 },
  { from: 20250101, to: 20251231 },
]

const inventory = readFileSync(join(process.cwd(), 'test/fixtures/advisor-questions.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => line.split(',').slice(0, 5))

test('channels and devices have one name, in answers as in reports', () => {
  for (const name of languageNames) {
    const { labels } = textsOf(chooseLanguage([name]))
    for (const [key, shown] of Object.entries(shownNames(name)))
      assert.is(Reflect.get(labels, key.replace(/^(?:channel|device)_/, '')), shown, `${name} ${key}`)
  }
})

test('the questions are those of the inventory', () => {
  const own = categories.flatMap(({ id: category, questions }) =>
    questions.map(({ id, plan, viz, confidence }) => [id, category, plan, viz, confidence]),
  )
  assert.equal(own, inventory)
  assert.is(categories.length, 10)
})

for (const name of languageNames) {
  const language = chooseLanguage([name])

  test(`${name}: distinct questions over any range, without placeholders`, () => {
    for (const range of ranges) {
      const texts = questions.map(({ id }) => questionText(language, id, range))
      assert.is(new Set(texts).size, inventory.length)
      assert.equal(
        texts.filter(text => /[{}]|undefined| {2}/.test(text) || !/[?]$/.test(text)),
        [],
      )
    }
  })

  test(`${name}: every sentence can be read by the formatter, and ends as one`, () => {
    const { categories, empty, reasons, hints, errors, questions } = textsOf(language)
    for (const text of [
      ...Object.values(empty),
      ...Object.values(reasons),
      ...Object.values(hints),
      ...Object.values(errors),
    ]) {
      assert.match(text, /\.$/)
      assert.not.match(text, /\{range\}/)
    }
    for (const text of [...Object.values(categories), ...Object.values(textsOf(language).labels)])
      assert.match(text, /^\S.*\S$|^\S$/)
    for (const [id, { summary, keywords }] of Object.entries(questions)) {
      assert.match(summary, /[.}]$/, id)
      assert.not.match(summary, /\{range\}/, `${id}: the page says the range`)
      assert.equal(
        keywords.split(', ').filter(word => word.trim() !== word || word === ''),
        [],
        id,
      )
      assert.not.match(summary, /'/, `${id}: a straight apostrophe quotes in the formatter`)
    }
  })

  test(`${name}: searchable texts are distinct, in two languages, and carry the date`, () => {
    const listed = listQuestions(language, march)
    assert.is(listed.questions.length, inventory.length)
    for (const { question, question_en, category, category_id, searchable } of listed.questions) {
      assert.is(new Set(searchable).size, searchable.length)
      for (const text of [
        question,
        question_en,
        category,
        listed.categories.find(({ id }) => id === category_id)?.label_en,
      ])
        assert.ok(searchable.includes(String(text)))
      assert.equal(
        searchable.filter(text => /[{}]/.test(text)),
        [],
      )
    }
  })
}

const phrases: Record<string, string[]> = {
  en: [
    'in March 2026',
    'on March 10, 2026',
    'between February 9 and March 10, 2026',
    'between March 1 and March 7, 2026',
    'between December 20, 2025 and January 3, 2026',
    'in 2025',
  ],
  'en-GB': [
    'in March 2026',
    'on 10 March 2026',
    'between 9 February and 10 March 2026',
    'between 1 March and 7 March 2026',
    'between 20 December 2025 and 3 January 2026',
    'in 2025',
  ],
  de: [
    'im März 2026',
    'am 10. März 2026',
    'vom 9. Februar bis zum 10. März 2026',
    'vom 1. bis zum 7. März 2026',
    'vom 20. Dezember 2025 bis zum 3. Januar 2026',
    'im Jahr 2025',
  ],
  fr: [
    'en mars 2026',
    'le 10 mars 2026',
    'du 9 février au 10 mars 2026',
    'du 1er au 7 mars 2026',
    'du 20 décembre 2025 au 3 janvier 2026',
    'en 2025',
  ],
  es: [
    'en marzo de 2026',
    'el 10 de marzo de 2026',
    'del 9 de febrero al 10 de marzo de 2026',
    'del 1 al 7 de marzo de 2026',
    'del 20 de diciembre de 2025 al 3 de enero de 2026',
    'en 2025',
  ],
}

for (const [tag, expected] of Object.entries(phrases)) {
  test(`${tag}: ranges are said as people say them`, () =>
    assert.equal(
      ranges.map(range => rangePhrase(chooseLanguage([tag]), range)),
      expected,
    ))
}

test('a language is that of the first wish that is spoken, else English', () => {
  const name = (...wishes: (string | null)[]) => chooseLanguage(wishes).name
  assert.is(name('de-AT'), 'de')
  assert.is(name(null, 'fr_FR.UTF-8'), 'fr')
  assert.is(name('pt', 'es'), 'es')
  assert.is(name('nonsense', ''), 'en')
  assert.is(name('constructor'), 'en')
  assert.is(chooseLanguage(['en-GB-u-nu-thai-ca-buddhist']).tag, 'en-GB')
})

test('figures are written as the language writes them', () => {
  const say = (tag: string, value: Parameters<typeof sentence>[2]) =>
    sentence(chooseLanguage([tag]), '{x}', value).replace(/[\u00a0\u202f]/g, ' ')
  assert.equal(
    ['en', 'de', 'fr', 'es'].map(tag => say(tag, { x: { percent: 0.1234 } })),
    ['12.3%', '12,3 %', '12,3 %', '12,3 %'],
  )
  assert.equal(
    ['en', 'de', 'fr', 'es'].map(tag => say(tag, { x: { money: 1234.5, currency: 'EUR' } })),
    ['€1,234.50', '1.234,50 €', '1 234,50 €', '1234,50 €'],
  )
  assert.is(say('en', { x: { money: 500, currency: 'JPY' } }), '¥500')
  assert.equal(
    [0, 1, 59, 60, 125, 3600, 3725].map(seconds => say('en', { x: { seconds } })),
    ['0 seconds', '1 second', '59 seconds', '1 minute', '2 minutes and 5 seconds', '1 hour', '1 hour and 2 minutes'],
  )
  assert.is(say('de', { x: { seconds: 125 } }), '2 Minuten und 5 Sekunden')
  assert.equal(
    [{ percent: null }, { seconds: null }, { money: null, currency: 'EUR' }, { decimal: null }].map(x =>
      say('en', { x }),
    ),
    ['–', '–', '–', '–'],
  )
})

test('a figure is compared in words: what chance explains is about the same', () => {
  const say = (current: number | null, previous: number | null | undefined, chance = false, compare?: string) =>
    trendPhrase(
      chooseLanguage(['en']),
      { current, previous, change: previous ? ((current ?? 0) - previous) / previous : null, chance },
      compare,
    )
  assert.equal([say(null, 3), say(3, null), say(3, undefined), say(0, 0)], ['', '', '', ''])
  assert.equal(
    [say(150, 100), say(75, 100), say(100, 100), say(101, 100, true), say(7, 14, true), say(3, 0, true)],
    [
      ', up 50% on the previous period',
      ', down 25% on the previous period',
      ', the same as in the previous period',
      ', about the same as in the previous period',
      ', 14 in the previous period; too few to tell a trend',
      ', after none in the previous period',
    ],
  )
  assert.equal(
    [say(150, 100, false, 'year'), say(101, 100, true, 'year'), say(150, 100, false, '2026-01-01..2026-01-31')],
    [', up 50% on a year earlier', ', about the same as a year earlier', ', up 50% on the comparison period'],
  )
})

const series = (...visitors: number[]) =>
  visitors.map((count, index) => ({
    date: new Date(Date.UTC(2026, 0, 1) + index * 86_400_000).toISOString().slice(0, 10),
    visitors: count,
  }))
const weeks = (count: number, week: number[]) => Array.from({ length: count }, () => week).flat()

test('a sudden change is judged against the same weekdays, else the week before, and not at all without enough days', () => {
  const method = (points: ReturnType<typeof series>, direction: 'up' | 'down') => {
    const { method, detected, baseline } = findAnomaly(points, direction)
    return [method, detected, baseline]
  }
  assert.equal(method(series(10, 10, 10, 10, 10, 10, 10, 2), 'down'), ['seven_days', true, 10])
  assert.equal(method(series(10, 10, 10, 10, 10, 10, 10, 8), 'down'), ['seven_days', false, 10])
  assert.equal(method(series(10, 10, 10, 10, 10, 10, 10, 30), 'up'), ['seven_days', true, 10])
  assert.equal(method(series(10, 10, 10, 10, 10, 10, 10, 30), 'down'), ['seven_days', false, 10])
  assert.equal(method(series(10, 10, 10, 10, 10, 10, 0), 'down'), ['not_enough_data', false, null])
  assert.equal(method(series(), 'down'), ['not_enough_data', false, null])
  // Days before the first visitor are no days without visitors.
  assert.equal(method(series(0, 0, 0, 0, 0, 0, 0, 10, 10, 1), 'down'), ['not_enough_data', false, null])
  // A quiet weekend that comes every week is no fall; a weekday as quiet as that is one.
  const week = [100, 100, 100, 100, 100, 30, 30]
  assert.equal(method(series(...weeks(5, week), 100, 100, 100, 100, 100, 30), 'down'), ['same_weekdays', false, 30])
  assert.equal(method(series(...weeks(5, week), 30), 'down'), ['same_weekdays', true, 100])
  assert.equal(findAnomaly(series(...weeks(5, week), 30), 'down'), {
    detected: true,
    current: 30,
    baseline: 100,
    change: -0.7,
    threshold: 70,
    method: 'same_weekdays',
  })
})

test('home is the country of the time zone, if that is one country’s', () => {
  assert.equal(
    ['Europe/Berlin', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Europe/Kyiv', 'GB', 'PRC'].map(
      countryOfZone,
    ),
    ['DE', 'FR', 'US', 'IN', 'UA', 'GB', 'CN'],
  )
  assert.equal(
    ['UTC', 'Etc/UTC', 'Etc/GMT+5', 'GMT', 'Zulu', 'CET', 'EET', 'EST', 'MST', 'EST5EDT', '+01:00'].map(countryOfZone),
    Array(11).fill(null),
  )
})

test('Black Friday is the day after the fourth Thursday of November', () => {
  assert.equal([2023, 2024, 2025, 2026, 2030].map(blackFriday), [20231124, 20241129, 20251128, 20261127, 20301129])
})

test.run()
