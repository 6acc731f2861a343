// The sentences of checks in the language of whoever asks. That each sentence has a translation is asserted where it is
// provoked: test/checks/diagnostics.test.ts and test/checks/site.test.ts.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { translate } from '../../src/checks/translate.ts'
import { withService } from '../support/service.ts'
import { assertTranslated } from '../support/translated.ts'

const catalogueOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(`data/checks/${language}.json`, 'utf8'))
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort()

test('every language has the same sentences, with the same values', () => {
  const german = Object.keys(catalogueOf('de'))
  for (const language of ['de', 'fr', 'es']) {
    const catalogue = catalogueOf(language)
    assert.equal(Object.keys(catalogue), german)
    for (const [english, text] of Object.entries(catalogue))
      assert.equal(placeholders(text), placeholders(english), `${language}: ${english}`)
  }
})

test('values are kept, and translated where they are sentences', () => {
  assert.is(
    translate('A hit to https://a.example/x does not arrive: no response within 1.5 seconds.', 'de-AT'),
    'Ein Aufruf an https://a.example/x kommt nicht an: keine Antwort innerhalb von 1.5 Sekunden.',
  )
  assert.is(
    translate(
      'Content blockers stop the pixel at https://a.example/pixel.gif, as /pixel.gif? is on lists such as EasyPrivacy.',
      'de',
    ),
    'Werbeblocker halten den Zählpixel unter https://a.example/pixel.gif auf, denn /pixel.gif? steht auf Listen wie EasyPrivacy.',
  )
  assert.is(translate('What nobody has translated.', 'fr'), 'What nobody has translated.')
  assert.is(translate('The tracker is served.', 'it'), 'The tracker is served.')
  assert.is(translate('The tracker is served.', 'es-MX'), 'El script se sirve.')
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
    const { body: audit } = await api('/privacy-audit')
    for (const { label, detail } of audit.checks) [label, detail].forEach(assertTranslated)
    const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
    const { body: tests } = await api('/self-test', post)
    for (const { id, ok, message } of tests.checks) {
      assert.ok(ok, `${id}: ${message}`)
      assertTranslated(message)
    }
    const [first] = (await api('/privacy-audit?lang=es')).body.checks
    assert.is(first.label, 'Nadie es reconocido otro día sin consentimiento')
    assert.ok(
      (await api('/self-test?lang=de', post)).body.checks.some(({ message }: any) => message.startsWith('Die Uhr')),
    )
  }))

test.run()
