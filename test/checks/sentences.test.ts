// The sentences of checks in the language of the caller. That each sentence has a translation is asserted where it is
// provoked, too: test/checks/diagnostics.test.ts and test/checks/site.test.ts.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import en from '../../data/checks/en.json'
import { type Sentence, say, wordsOf } from '../../src/checks/sentences.ts'
import { chooseLanguage } from '../../src/lib/texts.ts'
import { withService } from '../support/service.ts'

const words = (sentence: Sentence, tag: string): string => wordsOf(sentence, chooseLanguage([tag]))

test('values are kept, and translated where they are sentences', () => {
  const lost = say('hit_lost', { url: 'https://a.example/x', reason: say('reason_timeout', { seconds: 1.5 }) })
  assert.is(words(lost, 'en'), 'A hit to https://a.example/x does not arrive: no response within 1.5 seconds.')
  assert.is(
    words(lost, 'de-AT'),
    'Eine Anfrage an https://a.example/x kommt nicht an: keine Antwort innerhalb von 1.5 Sekunden.',
  )
  const stopped = { what: say('blocked_pixel'), url: 'https://a.example/pixel.gif', form: '/pixel.gif?' }
  assert.match(
    words(say('blockers', stopped), 'de'),
    /^Werbeblocker halten den Zählpixel unter https:\/\/a\.example\/pixel\.gif auf/,
  )
  assert.is(words('What the system says.', 'fr'), 'What the system says.')
  assert.is(words(say('tracker_served'), 'it'), 'The tracker is served.')
  assert.is(words(say('tracker_served'), 'es-MX'), 'El script se sirve.')
})

test('one of something is in the singular, and quotes are quotes', () => {
  assert.is(words(say('rollups_behind', { count: 1 }), 'en'), 'The reports of 1 day are not up to date.')
  assert.is(words(say('rollups_behind', { count: 1200 }), 'en'), 'The reports of 1200 days are not up to date.')
  assert.match(words(say('no_second_factor', { count: 1, logins: 'ada' }), 'en'), /: ada has no second factor\.$/)
  assert.is(
    words(say('first_password_fix', { login: '{a} # b' }), 'en'),
    "Change it in the settings, or with 'footfall user password {a} # b'.",
  )
  assert.match(words(say('first_password', { login: 'ada' }), 'en'), /^The user 'ada' still has/)
})

test('every sentence is said somewhere', () => {
  const files = readdirSync('src/checks', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'))
  const source = files.map(name => readFileSync(join('src/checks', name), 'utf8')).join('\n')
  assert.equal(
    Object.keys(en).filter(key => !source.includes(`'${key}'`)),
    [],
  )
})

test('findings and steps come in the language that is asked for, by default that of the user', () =>
  withService({ flags: { siteUrl: 'http://localhost:1' } }, async ({ api }) => {
    const findings = async (query: string): Promise<string[]> =>
      (await api(`/diagnostics${query}`)).body.findings.map(({ message }: { message: string }) => message)
    assert.ok((await findings('')).includes('No visit has been counted yet.'))
    assert.ok((await findings('?lang=de')).includes('Es wurde noch kein Besuch gezählt.'))
    const { body } = await api('/check?lang=fr', {
      method: 'POST',
      body: JSON.stringify({ url: 'http://localhost:1/' }),
      headers: { 'content-type': 'application/json' },
    })
    assert.match(body.steps[0].message, /^La page http:\/\/localhost:1\/ ne peut pas être chargée/)
    assert.match(body.next, /^Vérifiez que le service fonctionne/)
  }))

test('the audit and the self-test are in every language', () =>
  withService({}, async ({ api }) => {
    const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
    const audited = async (language: string): Promise<string[][]> =>
      (await api(`/privacy-audit?lang=${language}`)).body.checks.map(({ label, detail }: any) => [label, detail])
    const tested = async (language: string): Promise<string[]> =>
      (await api(`/self-test?lang=${language}`, post)).body.checks.map(({ id, ok, message }: any) => {
        assert.ok(ok, `${id}: ${message}`)
        return message
      })
    const [audit, tests] = [(await audited('en')).flat(), await tested('en')]
    for (const language of ['de', 'fr', 'es']) {
      const [translated, there] = [(await audited(language)).flat(), await tested(language)]
      assert.equal(
        [
          audit.filter((text, index) => text === translated[index]),
          tests.filter((text, index) => text === there[index]),
        ],
        [[], []],
        language,
      )
    }
    const [first] = (await api('/privacy-audit?lang=es')).body.checks
    assert.is(first.label, 'Nadie es reconocido otro día sin consentimiento')
    assert.ok((await tested('de')).some(message => message.startsWith('Die Uhr')))
  }))

test.run()
