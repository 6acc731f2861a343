import * as assert from 'uvu/assert'
import { translate } from '../../src/checks/translate.ts'

/** Asserts that a sentence of a check has a translation into each language. */
export const assertTranslated = (sentence: string | undefined): void => {
  if (sentence === undefined) return
  for (const language of ['de', 'fr', 'es'])
    assert.is.not(translate(sentence, language), sentence, `no ${language}: ${sentence}`)
}
