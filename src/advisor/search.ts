import MiniSearch from 'minisearch'
import type { Range } from '../reports/range.ts'
import { questions } from './inventory.ts'
import { chooseLanguage, languageNames, questionText } from './language.ts'
import type { QuestionId } from './language.ts'
import { searchOptions, term, withoutDate } from './words.ts'

/** Ranks the simplest questions first if the words match several. */
const boosts: Readonly<Record<string, number>> = { q2: 1.6, q3: 1.3, q4: 1.2, q23: 1.2, q101: 1.2 }

const anyRange: Range = { from: 20260101, to: 20260101 }
const build = () => {
  const index = new MiniSearch({
    idField: 'key',
    fields: ['question', 'keywords'],
    storeFields: ['lang'],
    processTerm: term,
    searchOptions: searchOptions,
  })
  for (const name of languageNames) {
    const language = chooseLanguage([name])
    index.addAll(
      questions.map(({ id }) => ({
        key: `${name} ${id}`,
        id,
        lang: name,
        question: withoutDate(questionText(language, id, anyRange)),
        keywords: language.texts.questions[id].keywords,
      })),
    )
  }
  return index
}

let searchIndex: MiniSearch | null = null

export type Hit = { id: QuestionId; lang: string }

/** Questions that match a text, best match first. Ignores word order and tolerates typos. */
export const searchQuestions = (text: string, preferred: string): Hit[] => {
  searchIndex ??= build()
  const hits = searchIndex.search(text, {
    boostDocument: (key, _, stored) => (stored?.lang === preferred ? 1.1 : 1) * (boosts[String(key).slice(3)] ?? 1),
  })
  const known = new Map(questions.map(({ id }) => [String(id), id]))
  const best = new Map<string, Hit>()
  for (const { id: key } of hits) {
    const [lang = '', id = ''] = String(key).split(' ')
    const question = known.get(id)
    if (question !== undefined && !best.has(question)) best.set(question, { id: question, lang })
  }
  return [...best.values()]
}
