// Questions in plain words: whatever their word order, with typos, in four languages; and the ranges that they name.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { searchQuestions } from '../../src/advisor/search.ts'
import { spokenRange } from '../../src/advisor/spoken-range.ts'

const asked: readonly [text: string, id: string, lang?: string][] = [
  ['how many visitors last week?', 'q2'],
  ['visitors how many', 'q2'],
  ['how many vistors did I have', 'q2'],
  ['number of page views', 'q3'],
  ['busiest days', 'q7'],
  ['who is online right now', 'q13'],
  ['is my tracking working', 'q15'],
  ['most viewed pages', 'q23'],
  ['visitors from reddit', 'q48'],
  ['how many people came from facebok', 'q50'],
  ['which ai assistants send me visitors', 'q53'],
  ['chatgpt', 'q53'],
  ['best campaign', 'q58'],
  ['newsletter visitors', 'q61'],
  ['black friday', 'q68'],
  ['countries of my visitors', 'q72'],
  ['which browsers', 'q84'],
  ['bounce rate of a page', 'q100'],
  ['how many orders', 'q101'],
  ['gross revenue', 'q102'],
  ['refund rate', 'q106'],
  ['which products sell most often', 'q110'],
  ['privacy audit', 'q119'],
  ['Wie viele Besucher hatte ich', 'q2', 'de'],
  ['Besucher von Instagram', 'q51', 'de'],
  ['welche Seiten wurden am häufigsten aufgerufen', 'q23', 'de'],
  ['Bruttoumsatz', 'q102', 'de'],
  ['combien de visiteurs', 'q2', 'fr'],
  ['commandes recues', 'q101', 'fr'],
  ['¿cuántos visitantes tuvo mi sitio?', 'q2', 'es'],
  ['pedidos', 'q101', 'es'],
]

for (const [text, id, lang = 'en'] of asked) {
  test(`“${text}” asks ${id}`, () => {
    const [found] = searchQuestions(spokenRange(text, 20260310).rest, 'en')
    assert.equal([found?.id, found?.lang], [id, lang])
  })
}

test('words that fit nothing find nothing', () => {
  assert.equal(searchQuestions('xyzzy qwghlm', 'en'), [])
  assert.equal(searchQuestions('', 'en'), [])
})

const ranges: readonly [text: string, from: number, to: number][] = [
  ['visitors today', 20260310, 20260310],
  ['visitors yesterday', 20260309, 20260309],
  ['visitors in the last 7 days', 20260304, 20260310],
  ['how many visitors last week?', 20260302, 20260308],
  ['orders this week', 20260309, 20260310],
  ['revenue last month', 20260201, 20260228],
  ['revenue this month', 20260301, 20260310],
  ['revenue this year', 20260101, 20260310],
  ['revenue last year', 20250101, 20251231],
  ['Besucher gestern', 20260309, 20260309],
  ['Besucher der letzten 30 Tage', 20260209, 20260310],
  ['Umsatz im letzten Monat', 20260201, 20260228],
  ['Besucher in diesem Jahr', 20260101, 20260310],
  ['visiteurs aujourd’hui', 20260310, 20260310],
  ['visiteurs des 7 derniers jours', 20260304, 20260310],
  ['visiteurs la semaine dernière', 20260302, 20260308],
  ['visitantes de los últimos 7 días', 20260304, 20260310],
  ['ingresos el mes pasado', 20260201, 20260228],
  ['ingresos este año', 20260101, 20260310],
]

for (const [text, from, to] of ranges) {
  test(`“${text}” is ${from} to ${to}`, () => assert.equal(spokenRange(text, 20260310).range, { from, to }))
}

test('a question without a range names none', () => assert.is(spokenRange('top pages', 20260310).range, null))

test.run()
