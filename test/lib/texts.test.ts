// All texts: the same keys in four languages, with the same values; and which language a caller gets.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { chooseLanguage, english, languageNames, message, stored } from '../../src/lib/texts.ts'

type Tree = { [key: string]: Tree | string }
type Element = { type: number; value?: unknown; options?: Record<string, { value: Element[] }> }

const textsIn = (tree: Tree, path = ''): [path: string, text: string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : textsIn(value, `${path}${key}.`),
  )

const literal = 0
const pound = 7
/** The names of the values that a text takes. */
const namesIn = (elements: readonly Element[]): string[] =>
  elements.flatMap(({ type, value, options = {} }) => [
    ...(type === literal || type === pound ? [] : [String(value)]),
    ...Object.values(options).flatMap(option => namesIn(option.value)),
  ])
const valuesOf = (text: string): string => {
  const ast = new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst() as Element[]
  return [...new Set(namesIn(ast))].sort().join()
}

/** A text without a value is shown as it is written, and so must need no escapes. */
const isPlain = (text: string): boolean => text.includes('{') || !/''|[{}]/.test(text)

/** Texts of the advisor to which the code offers more values than a language needs: their tests fill them. */
const hasOwnValues = ['range', 'trend']

const folders = readdirSync('data').filter(name => existsSync(`data/${name}/en.json`) && name !== 'names')
for (const folder of folders) {
  test(`data/${folder}: no key is there twice, of which the first would be lost`, () => {
    for (const name of languageNames) {
      const keys = [...readFileSync(`data/${folder}/${name}.json`, 'utf8').matchAll(/^ {2}"([^"]+)":/gm)].map(
        ([, key]) => key,
      )
      assert.ok(keys.length > 0)
      assert.equal([...new Set(keys)], keys)
    }
  })

  test(`data/${folder}: the same texts in each language, with the same values`, () => {
    const [first = [], ...others] = languageNames.map(name =>
      textsIn(JSON.parse(readFileSync(`data/${folder}/${name}.json`, 'utf8'))),
    )
    assert.ok(first.length > 0)
    for (const texts of [first, ...others]) {
      assert.equal(
        texts.map(([key]) => key),
        first.map(([key]) => key),
      )
      assert.equal(
        texts.filter(([, text]) => !isPlain(text)),
        [],
      )
      assert.equal(
        texts.filter(
          ([key, text], index) => !hasOwnValues.includes(key) && valuesOf(text) !== valuesOf(first[index]?.[1] ?? ''),
        ),
        [],
      )
    }
  })
}

test('the first language of the tags that there are texts in', () => {
  const chosen = (...tags: (string | null | undefined)[]): string => Object.values(chooseLanguage(tags)).join(' ')
  assert.is(chosen('de_AT'), 'de de-AT')
  assert.is(chosen('de_DE.UTF-8'), 'de de')
  assert.is(chosen(null, undefined, 'it', 'fr-CA'), 'fr fr-CA')
  assert.is(chosen('en-GB-u-nu-arab'), 'en en-GB')
  assert.is(chosen('deutsch'), 'en en')
  assert.is(chosen(), 'en en')
})

test('a value that is missing is a failure, unless the values were stored', () => {
  assert.throws(() => message(english, 'About {what}.', {}), /what/)
  assert.is(message(english, 'About {what}.', stored({})), 'About .')
  assert.is(message(english, 'A <b>', {}), 'A <b>')
})

test.run()
