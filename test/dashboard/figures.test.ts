// How the dashboard writes figures and texts.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFormat } from '../../src/dashboard/app/format.ts'
import { type Kind, write } from '../../src/dashboard/app/metrics.ts'
import { dictionaries, languages, localeFor, translator } from '../../src/dashboard/app/texts.ts'
import { chooseLanguage } from '../../src/lib/texts.ts'

for (const { id } of languages) dictionaries[id] = JSON.parse(readFileSync(`data/dashboard/${id}.json`, 'utf8'))

const figures: readonly [kind: Kind, value: number | null, written: string][] = [
  ['count', 1234, '1,234'],
  ['fine', 1.255, '1.26'],
  ['percent', 0.42, '42%'],
  ['percent', 0.0634, '6.3%'],
  ['points', 62.4, '62%'],
  ['points', 100, '100%'],
  ['points', 0.5, '0.5%'],
  ['seconds', 59.6, '1m 0s'],
  ['seconds', 3725, '1h 2m'],
  ['money', 12.5, '€12.50'],
  ['count', null, '–'],
]
for (const [kind, value, written] of figures) {
  test(`${value} as ${kind} is written ${written}`, () => {
    assert.is(write(createFormat('en-GB'), kind, value, 'EUR'), written)
  })
}

const placeholders = (text: string | undefined): string[] => [...new Set(text?.match(/\{\w+\}/g) ?? [])].sort()

for (const { id, name } of languages) {
  test(`every text is there in ${name}, with the same placeholders`, () => {
    const [english = {}, texts = {}] = [dictionaries.en, dictionaries[id]] as Record<string, string>[]
    assert.equal(Object.keys(texts), Object.keys(english))
    assert.equal(
      Object.keys(english).filter(key => placeholders(texts[key]).join() !== placeholders(english[key]).join()),
      [],
    )
  })
}

test('one of something is written in the singular', () => {
  const t = translator('en')
  assert.is(t('n_views', { n: 1 }), '1 page view')
  assert.is(t('n_views', { n: 1200 }), '1,200 page views')
  assert.match(
    t('not_counted', { n: 1, all: '50', share: '2%', reasons: 'bots 1' }),
    /^1 of 50 requests .* was not counted/,
  )
  assert.is(translator('fr')('n_views', { n: 0 }), '0 page vue')
})

test('a text that is missing falls back', () => {
  assert.is(translator('de').maybe('device_toaster', 'toaster'), 'toaster')
  assert.is(chooseLanguage(['pt-BR', 'es-MX', 'en']).name, 'es')
  assert.is(chooseLanguage(['pt']).name, 'en')
  assert.is(localeFor('en', ['pt-BR', 'de', 'en-GB']), 'en-GB')
  assert.is(localeFor('fr', ['de-AT']), 'fr')
})

test.run()
