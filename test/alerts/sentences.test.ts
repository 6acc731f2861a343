// What alerts say in four languages: plurals, formats, and what an old or foreign file lacks.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type AlertKind, alertKinds } from '../../src/alerts/kinds.ts'
import { alertSentences } from '../../src/alerts/sentences.ts'
import { chooseLanguage, languageNames } from '../../src/lib/texts.ts'
import { createZone } from '../../src/lib/time.ts'

const zone = createZone('UTC')
const goal = { from: 20260301, to: 20260303, current: 1200, usual: 4000 }

const sentences: readonly [language: string, kind: AlertKind, values: Record<string, number>, sentence: RegExp][] = [
  ['en', 'silent', { since: 0, hours: 1, bound: 1 }, /, for 1 hour\. .* 1 hour without a visit is unusual\.$/],
  ['en', 'silent', { since: 0, hours: 6, bound: 5 }, /, for 6 hours\. .* 5 hours without a visit are unusual\.$/],
  [
    'de',
    'silent',
    { since: 0, hours: 1, bound: 1 },
    /, das ist 1 Stunde\. .* ist 1 Stunde ohne Besuch ungewöhnlich\.$/,
  ],
  ['fr', 'silent', { since: 0, hours: 1, bound: 2 }, /, soit 1 heure\. .* 2 heures sans visite sont inhabituelles\.$/],
  ['es', 'silent', { since: 0, hours: 2, bound: 1 }, /, es decir, 2 horas\. .* 1 hora sin visitas es inusual\.$/],
  [
    'en',
    'goal',
    { ...goal, goals: 1 },
    /^Visits with the goal “Sign-up”, March 1\s–\s3, 2026: 1,200\. Usual: 4,000\.$/,
  ],
  ['en', 'goal', { ...goal, goals: 2 }, /Usual: 4,000\. 2 goals are affected\.$/],
  ['de', 'goal', { ...goal, goals: 2 }, /: 1\.200\. Üblich: 4\.000\. 2 Ziele sind betroffen\.$/],
  [
    'en',
    'disk',
    { free: 5e9, size: 1e11, share: 0.05, full_hours: 0 },
    /5 GB of 100 GB \(5%\)\. .* in less than an hour\.$/,
  ],
  ['fr', 'disk', { free: 5e9, size: 1e11, share: 0.05, full_hours: 1 }, / dans 1 heure\.$/],
  [
    'de',
    'refused',
    { requests: 1200, received: 2400, share: 0.5, foreign_host: 0, throttled: 0, invalid: 1200, hours: 1 },
    /^Abgelehnte Anfragen der letzten Stunde: 1\.200 von 2\.400 \(50\s%\)/,
  ],
  ['en', 'spike', { day: 20260301, current: 60, usual: 20, suspect: 40 }, /weekday: 20\. 40 of them look automated\.$/],
  ['de', 'spike', { day: 20260301, current: 60, usual: 20, suspect: 40 }, /: 20\. 40 davon sehen automatisch aus\.$/],
  ['fr', 'spike', { day: 20260301, current: 60, usual: 20, suspect: 40 }, /\. 40 d’entre eux semblent automatisés\.$/],
  ['es', 'spike', { day: 20260301, current: 60, usual: 20, suspect: 40 }, /\. 40 de ellos parecen automáticos\.$/],
  ['es', 'spike', { day: 20260301, current: 1, usual: 0 }, /^Visitantes, 1 de marzo de 2026: 1\. /],
]
for (const [language, kind, values, sentence] of sentences) {
  test(`${language}: ${kind} ${JSON.stringify(values)}`, () => {
    const found = { values, goal: kind === 'goal' ? 'Sign-up' : null }
    assert.match(alertSentences(zone, chooseLanguage([language])).sentence(kind, found), sentence)
  })
}

test('values that an archive lacks leave a gap, and no failure', () => {
  for (const name of languageNames)
    for (const kind of alertKinds)
      assert.ok(alertSentences(zone, chooseLanguage([name])).sentence(kind, { values: {}, goal: null }) !== '')
})

test.run()
