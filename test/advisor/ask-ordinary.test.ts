// The script that renews the words which are no typing errors.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { lexiconOf } from '../../src/advisor/ask/vocabulary.ts'

type Asker = { fold: (text: string) => string; lexiconOf: typeof lexiconOf }
type Script = {
  inflected: (text: string) => string[]
  packed: (words: readonly string[]) => string[]
  ordinaryOf: (words: readonly string[], asker: Asker, language: string) => string[]
}
const script = async (): Promise<Script> => (await import(`${process.cwd()}/renew-ordinary.mjs`)) as Script

test('words of a dictionary come with their endings', async () => {
  const { inflected } = await script()
  assert.equal(inflected('2\nwatch/SDG\ncarry/SD\nmost/Y'), [
    ...['2', 'watch', 'watches', 'watched', 'watching'],
    ...['carry', 'carries', 'carried', 'most', 'mostly'],
  ])
})

test('each word is written as how much of it the word before has', async () => {
  const { packed } = await script()
  assert.equal(packed(['abase', 'abased', 'acting']), ['0abase', '5d', '1cting'])
})

test('words that would be corrected are kept, those without their first letter only where lists have no such errors', async () => {
  const { ordinaryOf } = await script()
  const asker = (known: Record<string, string>): Asker => ({
    fold: text => text.toLowerCase(),
    lexiconOf: () => ({
      spans: ([word = '']) => {
        const corrected = known[word]
        return [{ start: 0, end: 1, concepts: [], known: true, ...(corrected !== undefined && { corrected }) }]
      },
    }),
  })
  const known = { aktie: 'aktiv', tatistik: 'statistik' }
  assert.equal(ordinaryOf(['Aktie', 'tatistik', 'Tee'], asker(known), 'de'), ['aktie'])
  assert.equal(ordinaryOf(['tatistik'], asker(known), 'fr'), ['tatistik'])
})

test('the list as it is', () => {
  for (const [word, language] of [
    ['weather', 'en'],
    ['mostly', 'en'],
    ['aktie', 'de'],
    ['regles', 'fr'],
    ['reglas', 'es'],
  ] as const)
    assert.ok(
      lexiconOf(language)
        .spans([word])
        .every(({ corrected }) => corrected === undefined),
      word,
    )
})

test.run()
