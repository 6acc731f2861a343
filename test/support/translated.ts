import * as assert from 'uvu/assert'
import { type Sentence, wordsOf } from '../../src/checks/sentences.ts'
import { chooseLanguage, english } from '../../src/lib/texts.ts'

/** Asserts that a sentence of a check has a translation into each language. */
export const assertTranslated = (sentence: Sentence | undefined): void => {
  if (sentence === undefined) return
  const inEnglish = wordsOf(sentence, english)
  for (const language of ['de', 'fr', 'es'])
    assert.is.not(wordsOf(sentence, chooseLanguage([language])), inEnglish, `no ${language}: ${inEnglish}`)
}
