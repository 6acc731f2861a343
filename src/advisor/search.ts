import MiniSearch from 'minisearch'
import type { Range } from '../reports/range.ts'
import { questions } from './inventory.ts'
import { chooseLanguage, languageNames, questionText } from './language.ts'
import type { QuestionId } from './language.ts'

/** Words that stand in nearly every question and tell nothing. */
const common = new Set(
  ('how many much did do does came come people my i the a an of in on is was were to for and which what me it has have from by at between '
  + 'wie viele viel kamen ich sich mich hat haben hatte meine mein meiner der die das ein eine in im am auf ist war wurde wurden zu und welche welcher von vom bis zum mir es '
  + 'combien je il elle ils vous de du des le la les mon ma mes a ont on un une en est ete et quel quelle quels quelles au aux '
  + 'cuantos cuantas tuvo yo que el los las mi mis un una en es fue se y de del por me al').split(' '),
)

const fold = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const term = (word: string): string | null => {
  const folded = fold(word)
  return folded.length < 2 || common.has(folded) ? null : folded
}

/** The plainest questions come first where words fit several. */
const plain: Readonly<Record<string, number>> = { q2: 1.6, q3: 1.3, q4: 1.2, q23: 1.2, q101: 1.2 }

const anyRange: Range = { from: 20260101, to: 20260101 }
/** A date says nothing about a question. */
const withoutDate = (text: string): string => text.replace(/\d+/g, ' ')

const build = () => {
  const index = new MiniSearch({
    idField: 'key', fields: ['question', 'keywords'], storeFields: ['lang'], processTerm: term,
    searchOptions: { boost: { question: 2, keywords: 2 }, prefix: true, fuzzy: word => word.length > 4 ? 0.25 : false, weights: { fuzzy: 0.7, prefix: 0.6 }, combineWith: 'OR' },
  })
  for (const name of languageNames) {
    const language = chooseLanguage([name])
    index.addAll(questions.map(({ id }) => ({
      key: `${name} ${id}`, id, lang: name,
      question: withoutDate(questionText(language, id, anyRange)), keywords: language.texts.questions[id].keywords,
    })))
  }
  return index
}

let built: MiniSearch | null = null

export type Hit = { id: QuestionId, lang: string }

/** The questions that a text may mean, the likeliest first; whatever its word order, and with a typo or two. */
export const searchQuestions = (text: string, preferred: string): Hit[] => {
  built ??= build()
  const hits = built.search(text, { boostDocument: (key, _, stored) => (stored?.lang === preferred ? 1.1 : 1) * (plain[String(key).slice(3)] ?? 1) })
  const known = new Map(questions.map(({ id }) => [String(id), id]))
  const found = new Map<string, Hit>()
  for (const { id: key } of hits) {
    const [lang = '', id = ''] = String(key).split(' ')
    const question = known.get(id)
    if (question !== undefined && !found.has(question)) found.set(question, { id: question, lang })
  }
  return [...found.values()]
}
