// Finds questions by typed words, in two languages and in spite of typing errors.
import MiniSearch from 'minisearch'
import { searchOptions, term, withoutDate } from '../../advisor/words.ts'

export type Findable = { id: string; question: string; searchable: readonly string[] }

/** A search over questions; the best match comes first. */
export const createSearch = <T extends Findable>(questions: readonly T[]): ((typed: string) => T[]) => {
  const index = new MiniSearch({ fields: ['question', 'keywords'], processTerm: term, searchOptions })
  index.addAll(
    questions.map(({ id, question, searchable }) => ({
      id,
      question: withoutDate(question),
      keywords: searchable.map(withoutDate).join(' '),
    })),
  )
  const byId = new Map(questions.map(one => [one.id, one]))
  return typed => index.search(typed).flatMap(({ id }) => byId.get(String(id)) ?? [])
}
