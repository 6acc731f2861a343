import { chooseLanguage, english, type Language, languageNames } from '../lib/texts.ts'
import type { Range } from '../reports/range.ts'
import { categories, categoryOfQuestion, questions } from './inventory.ts'
import { questionText, textsOf } from './language.ts'
import type { Question } from './question.ts'

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

const keywordsOf = (language: Language, { id }: Question): string[] =>
  textsOf(language).questions[id].keywords.split(', ')

/** A question in the inventory: in the caller's language and in English, with its search terms. */
const listed = (language: Language, range: Range) => (question: Question) => {
  const category = categoryOfQuestion(question)
  const { id, plan, viz, confidence, params } = question
  const [text, inEnglish] = [questionText(language, id, range), questionText(english, id, range)]
  const [label, labelInEnglish] = [textsOf(language).categories[category.id], textsOf(english).categories[category.id]]
  return {
    id,
    category_id: category.id,
    category: label,
    question: text,
    question_en: inEnglish,
    plan,
    viz_hint: viz,
    confidence,
    searchable: distinct([
      text,
      inEnglish,
      label,
      labelInEnglish,
      ...keywordsOf(language, question),
      ...keywordsOf(english, question),
    ]),
    ...(params.length > 0 && { params: [...params] }),
  }
}

/** The sentences of all questions in each language, over a day. */
export const questionTexts = (): { language: string; texts: string[] }[] =>
  languageNames.map(language => ({
    language,
    texts: questions.map(({ id }) => questionText(chooseLanguage([language]), id, { from: 20260101, to: 20260101 })),
  }))

export const listQuestions = (language: Language, range: Range) => ({
  categories: categories.map(({ id }) => ({
    id,
    label: textsOf(language).categories[id],
    label_en: textsOf(english).categories[id],
  })),
  questions: questions.map(listed(language, range)),
})
