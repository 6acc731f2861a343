// What the figures of a report mean, in the caller's language.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import de from '../../data/definitions/de.json'
import en from '../../data/definitions/en.json'
import es from '../../data/definitions/es.json'
import fr from '../../data/definitions/fr.json'
import { openDatabase } from '../../src/database/open.ts'
import { type Running, withService } from '../support/service.ts'

for (const [language, texts] of Object.entries({ de, es, fr }))
  test(`each definition is a sentence of its own in ${language}`, () => {
    assert.equal(Object.keys(texts), Object.keys(en))
    for (const [metric, text] of Object.entries(texts)) {
      assert.match(text, /^\p{Lu}.*\.$/u, metric)
      assert.is.not(text, en[metric as keyof typeof en], metric)
    }
  })

test('English definitions are sentences', () => {
  for (const text of Object.values(en)) assert.match(text, /^[A-Z].*\.$/)
})

const meaning = async ({ api }: Running, path: string) => {
  const { views } = (await api(path)).body.meta.definitions
  return views as { version: number; text: string }
}

test('a report explains its figures in the language of the parameter', () =>
  withService({}, async running => {
    assert.equal(await meaning(running, '/pages'), { version: 1, text: en.views })
    assert.is((await meaning(running, '/pages?lang=de')).text, de.views)
    assert.is((await meaning(running, '/pages?lang=fr-CA')).text, fr.views)
    assert.is((await meaning(running, '/summary?from=2026-03-10&to=2026-03-10&lang=es')).text, es.views)
    assert.is((await meaning(running, '/pages?lang=pl')).text, en.views)
    assert.not('ignored' in (await running.api('/pages?lang=de')).body.meta)
    const { status, body } = await running.api('/pages?lang=d_')
    assert.equal([status, Object.keys(body.data.params)], [400, ['lang']])
  }))

test("without it, in the user's", () =>
  withService({}, async running => {
    const { db } = openDatabase(running.file)
    db.prepare("update user set locale = 'de_AT' where login = 'admin'").run()
    db.close()
    assert.is((await meaning(running, '/pages')).text, de.views)
    assert.is((await meaning(running, '/dimensions/weekday')).text, de.views)
    assert.is((await meaning(running, '/pages?lang=en')).text, en.views)
  }))

test.run()
