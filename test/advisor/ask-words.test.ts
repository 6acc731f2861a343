// What the asker understands of the words of people who are no analysts, in four languages.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { answersOf, readingsOf } from '../../src/advisor/ask/choice.ts'
import { createNames } from '../../src/advisor/ask/names.ts'
import { tokenize } from '../../src/advisor/ask/text.ts'
import { understand } from '../../src/advisor/ask/understand.ts'
import { serviceNamed } from '../../src/channel/services.ts'
import { type AskQuestion, askQuestions } from '../support/ask-questions.ts'
import { check } from '../support/property.ts'

/** A Tuesday. */
const today = 20261124
const present = { today, weekStart: 1 }
const all = ['en', 'de', 'fr', 'es']
const asked = (text: string, language = 'en') => understand(text, present, [...new Set([language, ...all])])
const answered = (text: string, language?: string): string => answersOf(asked(text, language))[0]?.id ?? 'none'

const isRight = ({ language, text, right }: AskQuestion): boolean => right.includes(answered(text, language))

/** Sources may be named by their host or their name. */
const sourceOf = (text: string | undefined): string | undefined => serviceNamed(text ?? '')?.name ?? text

/** The expected days and filters that were not understood. */
const missed = ({ language, text, right, understood }: AskQuestion): string[] => {
  if (right.includes('none') || understood === '') return []
  const { period, filters } = asked(text, language)
  return understood.split(';').filter(pair => {
    const [key = '', value] = pair.split('=')
    if (key === 'period') return period?.name !== value
    if (key === 'from' || key === 'to') return String(period?.range[key]) !== value
    return key === 'source' ? sourceOf(filters.source) !== sourceOf(value) : filters[key] !== value
  })
}

test('the questions that were once answered wrong are answered right, with the days and filters they name', () => {
  const questions = askQuestions('examples')
  assert.is(questions.length, 30)
  assert.equal(
    questions.filter(question => !isRight(question) || missed(question).length > 0),
    [],
  )
})

const enough = 0.95
for (const [language, least] of [
  ['en', 200],
  ['de', 200],
  ['fr', 60],
  ['es', 60],
] as const) {
  test(`${language}: nearly all questions are answered right, and none that cannot be`, () => {
    const questions = askQuestions(language)
    assert.ok(questions.length >= least)
    const wrong = questions.filter(question => !isRight(question))
    const share = 1 - wrong.length / questions.length
    assert.ok(
      share >= enough,
      `${share}\n${wrong.map(({ text }) => `${text} → ${answered(text, language)}`).join('\n')}`,
    )
    assert.equal(
      wrong.filter(({ right }) => right.includes('none')).map(({ text }) => text),
      [],
    )
    const partly = questions
      .map(question => ({ text: question.text, pairs: missed(question) }))
      .filter(({ pairs }) => pairs.length > 0)
    assert.ok(partly.length <= questions.length * (1 - enough), JSON.stringify(partly, null, 1))
  })
}

const periods: readonly [text: string, name: string, from: number, to: number, language?: string][] = [
  ['visitors today', 'today', 20261124, 20261124],
  ['visitors yesterday', 'yesterday', 20261123, 20261123],
  ['visitors the day before yesterday', 'custom', 20261122, 20261122],
  ['visitors in the last 7 days', 'custom', 20261118, 20261124],
  ['visitors in the last two weeks', 'custom', 20261111, 20261124],
  ['how many visitors last week?', 'last_week', 20261116, 20261122],
  ['orders this week', 'this_week', 20261123, 20261124],
  ['revenue last month', 'last_month', 20261001, 20261031],
  ['revenue this month', 'this_month', 20261101, 20261124],
  ['revenue last quarter', 'last_quarter', 20260701, 20260930],
  ['revenue this quarter', 'this_quarter', 20261001, 20261124],
  ['revenue in Q1', 'custom', 20260101, 20260331],
  ['revenue in the fourth quarter 2025', 'custom', 20251001, 20251231],
  ['revenue this year', 'this_year', 20260101, 20261124],
  ['revenue last year', 'last_year', 20250101, 20251231],
  ['revenue in 2025', 'custom', 20250101, 20251231],
  ['visitors on monday', 'custom', 20261123, 20261123],
  ['visitors last tuesday', 'custom', 20261117, 20261117],
  ['orders over the weekend', 'custom', 20261121, 20261122],
  ['visitors in may', 'custom', 20260501, 20260531],
  ['visitors in december', 'custom', 20251201, 20251231],
  ['visitors in december 2024', 'custom', 20241201, 20241231],
  ['visitors since March', 'custom', 20260301, 20261124],
  ['how many visitors between 1 and 15 May?', 'custom', 20260501, 20260515],
  ['visitors from 20 September to 5 October', 'custom', 20260920, 20261005],
  ['visitors on 1 May', 'custom', 20260501, 20260501],
  ['visitors on May 1st 2025', 'custom', 20250501, 20250501],
  ['visitors on 2026-05-01', 'custom', 20260501, 20260501],
  ['visitors 3 days ago', 'custom', 20261121, 20261121],
  ['is my traffic up or down compared to last month', 'this_month', 20261101, 20261124],
  ['more visitors today than yesterday?', 'today', 20261124, 20261124],
  ['best day of the year', 'this_year', 20260101, 20261124],
  ['visitors in the first half of the year', 'custom', 20260101, 20260630],
  ['visitors in H2 2025', 'custom', 20250701, 20251231],
  ['visitors yestreday', 'yesterday', 20261123, 20261123],
  ['visitors since 1990-01-01', 'custom', 20161117, 20261124],
  ['visitors last summer', 'custom', 20260601, 20260831],
  ['visitors in winter', 'custom', 20251201, 20260228],
  ['Umsatz im Frühling 2025', 'custom', 20250301, 20250531, 'de'],
  ['ventas en otoño', 'custom', 20260901, 20261124, 'es'],
  ['how was Christmas last year', 'custom', 20251224, 20251226],
  ['orders over Easter', 'custom', 20260403, 20260406],
  ['orders at Easter 2025', 'custom', 20250418, 20250421],
  ['visitors on Easter Monday 2024', 'custom', 20240401, 20240401],
  ['orders on Black Friday', 'custom', 20251128, 20251128],
  ['orders on Cyber Monday', 'custom', 20251201, 20251201],
  ['visitors on Halloween', 'custom', 20261031, 20261031],
  ['visitors on last New Year’s Eve', 'custom', 20251231, 20251231],
  ['Besucher an Pfingsten', 'custom', 20260523, 20260525, 'de'],
  ['Bestellungen letztes Jahr an Ostern', 'custom', 20250418, 20250421, 'de'],
  ['Bestellungen zwischen Weihnachten und Neujahr', 'custom', 20251224, 20260101, 'de'],
  ['visites à Noël', 'custom', 20251224, 20251225, 'fr'],
  ['commandes à la Toussaint', 'custom', 20261101, 20261101, 'fr'],
  ['pedidos en Semana Santa', 'custom', 20260329, 20260405, 'es'],
  ['Besucher gestern', 'yesterday', 20261123, 20261123, 'de'],
  ['Besucher der letzten 30 Tage', 'custom', 20261026, 20261124, 'de'],
  ['Umsatz im letzten Monat', 'last_month', 20261001, 20261031, 'de'],
  ['Besucher in diesem Jahr', 'this_year', 20260101, 20261124, 'de'],
  ['Besucher vor 3 Tagen', 'custom', 20261121, 20261121, 'de'],
  ['Besucher vom 1. bis 15. Mai', 'custom', 20260501, 20260515, 'de'],
  ['Besucher im März', 'custom', 20260301, 20260331, 'de'],
  ['Besucher im Maerz', 'custom', 20260301, 20260331, 'de'],
  ['Besucher am 2.10.', 'custom', 20261002, 20261002, 'de'],
  ['Umsatz im 2. Quartal', 'custom', 20260401, 20260630, 'de'],
  ['der beste Tag des Jahres', 'this_year', 20260101, 20261124, 'de'],
  ['der beste Tag des letzten Jahres', 'last_year', 20250101, 20251231, 'de'],
  ['läuft es besser als im Vormonat', 'this_month', 20261101, 20261124, 'de'],
  ['visiteurs aujourd’hui', 'today', 20261124, 20261124, 'fr'],
  ['visiteurs des 7 derniers jours', 'custom', 20261118, 20261124, 'fr'],
  ['visiteurs la semaine dernière', 'last_week', 20261116, 20261122, 'fr'],
  ['visiteurs du 1er au 15 mai', 'custom', 20260501, 20260515, 'fr'],
  ['visiteurs depuis le 1er septembre', 'custom', 20260901, 20261124, 'fr'],
  ['commandes au 2e trimestre', 'custom', 20260401, 20260630, 'fr'],
  ['commandes au T3 2025', 'custom', 20250701, 20250930, 'fr'],
  ['commandes de l’année dernière', 'last_year', 20250101, 20251231, 'fr'],
  ['visiteurs il y a 3 jours', 'custom', 20261121, 20261121, 'fr'],
  ['plus de visiteurs que le mois dernier ?', 'this_month', 20261101, 20261124, 'fr'],
  ['visitantes de los últimos 7 días', 'custom', 20261118, 20261124, 'es'],
  ['ingresos el mes pasado', 'last_month', 20261001, 20261031, 'es'],
  ['ingresos este año', 'this_year', 20260101, 20261124, 'es'],
  ['visitantes del 1 al 15 de mayo', 'custom', 20260501, 20260515, 'es'],
  ['pedidos del año', 'this_year', 20260101, 20261124, 'es'],
  ['pedidos del año pasado', 'last_year', 20250101, 20251231, 'es'],
  ['pedidos del año 2025', 'custom', 20250101, 20251231, 'es'],
  ['visitantes hace 3 días', 'custom', 20261121, 20261121, 'es'],
]
for (const [text, name, from, to, language] of periods)
  test(`“${text}” is ${from} to ${to}`, () =>
    assert.equal(
      [asked(text, language).period].map(found => [found?.name, found?.range]),
      [[name, { from, to }]],
    ))

test('days before or until others have no first day, and days after others no last but today', () => {
  for (const [text, language, to] of [
    ['visitors before October', 'en', 20260930],
    ['visitors until October', 'en', 20261031],
    ['visitors up to 15 May', 'en', 20260515],
    ['Besucher vor Oktober', 'de', 20260930],
    ['Besucher vor dem 15. Mai', 'de', 20260514],
    ['Besucher bis Ostern', 'de', 20260406],
    ['visiteurs avant octobre', 'fr', 20260930],
    ['visiteurs jusqu’à octobre', 'fr', 20261031],
    ['visitantes antes de octubre', 'es', 20260930],
    ['visitantes hasta octubre', 'es', 20261031],
  ] as const) {
    const { period, unused } = asked(text, language)
    assert.equal([period?.name, period?.isOpen, period?.range.to, unused], ['custom', true, to, []], text)
  }
  for (const [text, language, from, to] of [
    ['visitors after October', 'en', 20261101, 20261124],
    ['Besucher nach dem 15. Mai', 'de', 20260516, 20261124],
    ['visiteurs après octobre', 'fr', 20261101, 20261124],
    ['visitantes después de octubre', 'es', 20261101, 20261124],
    ['visitors in the week before Easter', 'en', 20260327, 20260402],
    ['visitors two weeks before Easter', 'en', 20260320, 20260402],
    ['visitors in the month after Easter', 'en', 20260407, 20260506],
    ['Besucher in der Woche vor Ostern', 'de', 20260327, 20260402],
    ['Besucher vor zwei Wochen', 'de', 20261109, 20261115],
    ['visiteurs la semaine avant Pâques', 'fr', 20260327, 20260402],
    ['visitantes de la semana antes de Pascua', 'es', 20260327, 20260402],
    ['visitors from 1 until 15 May', 'en', 20260501, 20260515],
    ['Besucher vom 1. bis 15. Mai', 'de', 20260501, 20260515],
  ] as const) {
    const { period } = asked(text, language)
    assert.equal([period?.isOpen, period?.range], [undefined, { from, to }], text)
  }
})

test('other words name no days', () => {
  for (const text of ['top pages', 'may I see my march', 'my last article', 'the last 30 minutes', ''])
    assert.is(asked(text).period, null, text)
})

test('filters are read by name, in each language, and several values of one are alternatives', () => {
  for (const [text, language, filters] of [
    ['what do visitors from Germany or Austria read', 'en', { country: 'DE,AT' }],
    ['browsers of people in the united states on phones', 'en', { country: 'US', device: 'mobile' }],
    ['welche Browser haben Leute aus Österreich', 'de', { country: 'AT' }],
    ['welche browser haben leute aus oesterreich', 'de', { country: 'AT' }],
    ['quels navigateurs ont les visiteurs belges', 'fr', { country: 'BE' }],
    ['qué navegadores tienen los visitantes de méxico', 'es', { country: 'MX' }],
    ['how many people bounce on /blog/tea,milk', 'en', { page: '/blog/tea\\,milk' }],
    ['which pages do people from chatgpt.com read', 'en', { source: 'chatgpt.com' }],
    ['is the event cup_filled still sent', 'en', { event: 'cup_filled' }],
  ] as const)
    assert.equal(asked(text, language).filters, filters, text)
})

test('“not” and “without” leave out what comes next, or nothing is answered', () => {
  for (const [text, language, filters] of [
    ['how many visitors not from Germany last month', 'en', { country: '!DE' }],
    ['visitors from France without phones', 'en', { country: 'FR', device: '!mobile' }],
    ['visits that did not come from Google', 'en', { source: '!google.com' }],
    ['visitors except from Germany and Austria', 'en', { country: '!DE,AT' }],
    ['Besucher ohne Handy', 'de', { device: '!mobile' }],
    ['Besucher außer aus Österreich', 'de', { country: '!AT' }],
    ['visiteurs sauf ceux de Belgique', 'fr', { country: '!BE' }],
    ['visitantes que no son de México', 'es', { country: '!MX' }],
  ] as const)
    assert.equal([asked(text, language).filters, answered(text, language) !== 'none'], [filters, true], text)
  for (const [text, language] of [
    ['orders without a coupon', 'en'],
    ['visitors apart from the usual crowd', 'en'],
    ['Bestellungen ohne Gutschein', 'de'],
  ] as const)
    assert.equal([asked(text, language).refused, answered(text, language)], ['negation', 'none'], text)
})

test('a plain “not” that leaves out nothing known is refused, but not where yes or no is asked', () => {
  for (const [text, language] of [
    ['which pages do not sell', 'en'],
    ['welche Seiten laufen nicht', 'de'],
    ['quels produits ne se vendent pas', 'fr'],
    ['qué productos no se venden', 'es'],
    ['how many visitors never scroll', 'en'],
  ] as const)
    assert.equal([asked(text, language).refused, answered(text, language)], ['negation', 'none'], text)
  for (const [text, id] of [
    ['didn’t we have any visitors yesterday', 'q2'],
    ['is the tracking not working', 'q15'],
    ['did orders come in yesterday or not', 'q101'],
  ] as const)
    assert.equal([asked(text).refused, answered(text)], [null, id], text)
  assert.is(asked('which visitors did not come back').refused, null)
  // What is not counted is no count.
  assert.is(answered('visitas sin contar los móviles', 'es'), 'q4')
})

test('a known word that has nothing to do with the answer is named', () => {
  for (const [text, unused] of [
    ['how many visitors came with an old browser', ['old']],
    ['welche Beiträge werden kaum gelesen', ['kaum']],
    ['how many of my visitors came yesterday', []],
    ['which browsers are there', []],
  ] as const)
    assert.equal(asked(text).unused, unused, text)
})

test('facts of the world are not known, visitors from there are', () => {
  const names = createNames([], [{ kind: 'city', value: 'Hamburg', text: 'Hamburg' }])
  const of = (text: string, language: string) => {
    const understood = understand(text, present, [language, ...all], [], names)
    return [answersOf(understood)[0]?.id ?? understood.refused, understood.filters.city]
  }
  for (const [text, language] of [
    ['how many people live in Hamburg', 'en'],
    ['how many people does Hamburg have', 'en'],
    ['how many inhabitants does Hamburg have', 'en'],
    ['how many people drink tea in Hamburg', 'en'],
    ['wie viele Menschen leben in Hamburg', 'de'],
    ['wie viele Einwohner hat Hamburg', 'de'],
    ['combien de gens habitent Hamburg', 'fr'],
    ['cuánta gente vive en Hamburg', 'es'],
  ] as const)
    assert.is(of(text, language)[0], 'elsewhere', text)
  for (const [text, language] of [
    ['how many people from Hamburg', 'en'],
    ['how many people in Hamburg read my website', 'en'],
    ['how many of my visitors live in Hamburg', 'en'],
    ['wie viele Besucher wohnen in Hamburg', 'de'],
    ['combien de visiteurs habitent Hamburg', 'fr'],
    ['cuántos visitantes viven en Hamburg', 'es'],
  ] as const)
    assert.equal(of(text, language), ['q2', 'Hamburg'], text)
  assert.is(answered('where do my visitors live'), 'q72')
})

test('who looks at the site visits it, what they look at is pages', () => {
  assert.is(answered('did anybody look at my site over the weekend'), 'q2')
  assert.is(answered('what do people look at on my site'), 'q23')
  assert.is(answered('did that reddit thread bring people'), 'q48')
})

test('two values of one kind are compared in their table', () => {
  for (const [text, language, id, filters] of [
    ['do more visitors come from Austria or Switzerland', 'en', 'q72', { country: 'AT,CH' }],
    ['kommen mehr Besucher aus Österreich oder aus der Schweiz', 'de', 'q72', { country: 'AT,CH' }],
  ] as const)
    assert.equal([answered(text, language), asked(text, language).filters], [id, filters], text)
})

test('a comparison is passed on', () => {
  for (const [text, language, compare] of [
    ['visitors yesterday', 'en', null],
    ['more visitors than last month', 'en', 'previous'],
    ['is my traffic up or down compared to last year', 'en', 'year'],
    ['more visitors this month than in the same month last year', 'en', 'year'],
    ['revenue in October compared with August', 'en', '2026-08-01..2026-08-31'],
    ['did fewer people come last week than the week before', 'en', 'previous'],
    ['fewer visitors yesterday than a week earlier', 'en', '2026-11-16..2026-11-16'],
    ['mehr Besucher als vor einem Jahr', 'de', 'year'],
    ['Umsatz im Mai verglichen mit April', 'de', '2026-04-01..2026-04-30'],
    ['plus de visites qu’il y a un an', 'fr', 'year'],
    ['más visitas este mes que el mes pasado', 'es', 'previous'],
  ] as const)
    assert.is(asked(text, language).compare, compare, text)
})

test('what is still to come is not answered', () => {
  for (const text of ['will sales be better next spring', 'visitors next monday', 'Umsatz im nächsten Sommer'])
    assert.equal([asked(text).refused, answered(text)], ['forecast', 'none'], text)
})

test('two questions are two answers in their order, one that needs both words stays one', () => {
  const ids = (text: string, language: string): string[] => answersOf(asked(text, language)).map(({ id }) => id)
  assert.equal(ids('how many visitors and how many orders last week', 'en'), ['q2', 'q101'])
  assert.equal(ids('aus welchen Ländern und mit welchen Browsern kommen sie', 'de'), ['q72', 'q84'])
  assert.equal(ids('combien de visiteurs et de commandes hier', 'fr'), ['q2', 'q101'])
  assert.equal(ids('navegadores y países', 'es'), ['q84', 'q72'])
  assert.is(ids('tax and shipping', 'en')[0], 'q115')
  assert.equal(ids('how many came from Instagram and how many from Google', 'en'), ['q51', 'q43'])
  assert.equal(asked('visitors from Germany and Austria').parts, [])
})

test('names of the site are found by their words, whole or in part', () => {
  const names = createNames(
    [
      { value: '/blog/the-new-kiln', title: 'The new kiln has arrived' },
      { value: '/blog/matcha-care', title: 'Care for a whisk' },
      { value: '/blog/matcha-latte', title: 'A latte' },
      { value: '/sale', title: 'Sale' },
      { value: '/shop/tea', title: 'Tea' },
      { value: '/shop/cups', title: 'Cups' },
      { value: '/shop/pots', title: 'Pots' },
    ],
    [
      { kind: 'utm_campaign', value: 'spring-collection', text: 'spring-collection' },
      { kind: 'utm_campaign', value: 'sale', text: 'sale' },
      { kind: 'city', value: 'Vistor', text: 'Vistor' },
      { kind: 'event', value: 'video_play', text: 'video_play' },
    ],
  )
  for (const [text, filters] of [
    ['visitors to the blog', { page: '/blog*' }],
    ['visitors without the blog', { page: '!/blog*' }],
    ['how many people visited my shop', {}],
    ['who is reading the kiln story', { page: '/blog/the-new-kiln' }],
    ['views of pages about matcha', { page: '*matcha*' }],
    ['how often was the post about the kiln read', { page: '/blog/the-new-kiln' }],
    ['views of the sale page', { page: '/sale' }],
    ['visits of the sale campaign', { utm_campaign: 'sale' }],
    ['how many sales', {}],
    ['how did the spring collection do', { utm_campaign: 'spring-collection' }],
    ['people who watched the video', { event: 'video_play' }],
    // Not "visitor" with a typo.
    ['page views from Vistor', { city: 'Vistor' }],
  ] as const)
    assert.equal(understand(text, present, all, [], names).filters, filters, text)
})

test('another site’s figures are not ours, visits from it and our own host are', () => {
  const own = ['www.shop.example:8080']
  for (const text of [
    'how many visitors does nytimes.com have',
    'how many people visit nytimes.com',
    'wie viele Besucher hat spiegel.de',
    'combien de visiteurs a lemonde.fr',
    'cuántas visitas tiene elpais.com',
  ])
    assert.is(answersOf(understand(text, present, all, own)).length, 0, text)
  const sent = understand('how many visitors did nytimes.com send me', present, all, own)
  assert.equal([answersOf(sent)[0]?.id, sent.filters], ['q2', { source: 'nytimes.com' }])
  const mine = understand('how many visitors does shop.example have', present, all, own)
  assert.equal([answersOf(mine)[0]?.id, mine.filters, mine.words], ['q2', {}, []])
  // Of several hosts, each is a part of the site.
  const several = ['shop.example', 'blog.shop.example', 'www.shop.example']
  for (const text of ['how many visitors does www.shop.example have', 'wie viele Besucher hatte shop.example']) {
    const part = understand(text, present, all, several)
    assert.equal([answersOf(part)[0]?.id, part.filters, part.words], ['q2', { host: 'shop.example' }, []], text)
  }
})

test('numbers that belong to nothing are named', () => {
  assert.equal(asked('visitors over 35').words, ['35'])
  assert.equal(asked('top 10 pages of the last 30 days').words, [])
})

test('the language is that of the words, else the first of those given', () => {
  assert.is(asked('wie viele Besucher hatte ich', 'en').language, 'de')
  assert.is(asked('how many visitors', 'de').language, 'en')
  assert.is(asked('newsletter', 'fr').language, 'fr')
  assert.is(asked('xyzzy', 'es').language, 'es')
})

test('typos of a letter are understood, and other words are named', () => {
  assert.is(answered('how many vistors did I have'), 'q2')
  assert.is(answered('wie viele Besuhcer hatte ich', 'de'), 'q2')
  assert.equal(asked('visitors of the xyzzy plugh').words, ['xyzzy', 'plugh'])
})

const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        'last',
        '30',
        'days',
        'between',
        '1',
        'and',
        'May',
        'visitors',
        '/a*b',
        'x.y',
        'from',
        'de',
        'a_b',
        '!',
      ),
    )
    .map(words => words.join(' ').slice(0, 300)),
)
test('any text is understood in some way', () =>
  check(
    fc.property(text, given => {
      const { language, matches, period } = asked(given)
      assert.ok(all.includes(language))
      assert.ok(matches.every(({ score }) => score > 0 && score <= 1 + Number.EPSILON))
      assert.ok(period === null || (period.range.from <= period.range.to && period.range.to <= today))
    }),
    { numRuns: 300 },
  ))

test('a text has at most a hundred words', () => assert.is(tokenize('a '.repeat(5000)).length, 100))

test('days alone ask for visitors, and what has no fixed date is asked for', () => {
  for (const text of ['how was last week', 'how is my shop doing this month', 'how was Easter'])
    assert.is(answered(text), 'q2', text)
  for (const [text, language] of [
    ['visitors in the school holidays', 'en'],
    ['Umsatz in den Sommerferien', 'de'],
    ['commandes pendant les vacances', 'fr'],
    ['visitas en vacaciones', 'es'],
  ] as const)
    assert.equal([asked(text, language).refused, answered(text, language)], ['undated', 'none'], text)
})

test('somebody that a visit does not know is no answer, and buyers are named where visitors are counted', () => {
  for (const [text, language] of [
    ['how many members read the news', 'en'],
    ['wie viele Abonnenten waren gestern da', 'de'],
    ['combien d’adhérents sont venus hier', 'fr'],
    ['cuántos socios entraron ayer', 'es'],
  ] as const)
    assert.equal([asked(text, language).refused, answered(text, language)], ['actor', 'none'], text)
  assert.equal(asked('how many customers came from Instagram').words, ['customers'])
  assert.equal(asked('how many customers bought something').words, [])
})

test('what cannot be known is a kind, not a word: its near twins are answered', () => {
  const names = createNames(
    [
      { value: '/members', title: 'Members' },
      { value: '/dogs', title: 'Walking dogs' },
    ],
    [],
  )
  const of = (text: string) => understand(text, present, all, [], names)
  for (const [text, page] of [
    ['how many people read the page about dogs', '/dogs'],
    ['views of the members page', '/members'],
  ] as const)
    assert.equal([of(text).filters.page, of(text).refused], [page, null], text)
  for (const text of [
    'how is my dog',
    'who won the football match',
    'which keywords do I rank for',
    'how many followers do I have',
  ])
    assert.is(answered(text), 'none', text)
})

test('a typing error is corrected and said, and never in a word that exists or a name of the site', () => {
  const { corrected, filters } = asked('visitors from Gremany')
  assert.equal([corrected, filters], [[['Gremany', 'germany']], { country: 'DE' }])
  for (const [text, word, language] of [
    ['what is the weather', 'weather', 'en'],
    ['Wie steht die Aktie', 'Aktie', 'de'],
    ['les animaux de ma page', 'animaux', 'fr'],
  ] as const)
    assert.ok(!asked(text, language).corrected.some(([typed]) => typed === word), text)
  const names = createNames([{ value: '/visitor', title: 'Vistor' }], [])
  assert.equal(understand('views of vistor', present, all, [], names).corrected, [])
})

test('a code is no typing error, and neither is a word that begins a phrase', () => {
  for (const [text, language] of [
    ['orders with WINTER20', 'en'],
    ['por qué bajaron las visitas', 'es'],
  ] as const)
    assert.equal(asked(text, language).corrected, [], text)
})

test('two questions that fit about as well are asked back, and what is nearly understood', () => {
  const readings = (text: string, language?: string) => readingsOf(asked(text, language)).map(({ id }) => id)
  assert.equal(readings('did you see my test click'), ['q116', 'q16'])
  assert.equal(readings('how many visitors'), [])
  assert.equal(readings('xyzzy plugh'), [])
  assert.equal(readings('how many returning visitors'), [])
})

test.run()
