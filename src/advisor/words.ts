// Search settings shared by the command line and the dashboard.
import type { SearchOptions } from 'minisearch'

/** Stop words: they occur in nearly every question. */
const stopWords = new Set(
  (
    'how many much did do does came come people my i the a an of in on is was were to for and which what me it has have from by at between ' +
    'wie viele viel kamen ich sich mich hat haben hatte meine mein meiner der die das ein eine in im am auf ist war wurde wurden zu und welche welcher von vom bis zum mir es ' +
    'combien je il elle ils vous de du des le la les mon ma mes a ont on un une en est ete et quel quelle quels quelles au aux ' +
    'cuantos cuantas tuvo yo que el los las mi mis un una en es fue se y de del por me al'
  ).split(' '),
)

const fold = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** A word as it is compared; null for a stop word. */
export const term = (word: string): string | null => {
  const folded = fold(word)
  return folded.length < 2 || stopWords.has(folded) ? null : folded
}

/** Removes digits: a date does not identify a question. */
export const withoutDate = (text: string): string => text.replace(/\d+/g, ' ')

/** Matches prefixes and tolerates typos. The question and its keywords weigh more than other fields. */
export const searchOptions: SearchOptions = {
  boost: { question: 2, keywords: 2 },
  prefix: true,
  fuzzy: word => (word.length > 4 ? 0.25 : false),
  weights: { fuzzy: 0.7, prefix: 0.6 },
  combineWith: 'OR',
}
