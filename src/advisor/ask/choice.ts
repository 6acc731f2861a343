// Whether what a text asks is answered, or asked back.
import { categoryOfQuestion, findQuestion } from '../inventory.ts'
import { isReport } from './report-answers.ts'
import { isTopic, type Match } from './subject.ts'
import type { Understood } from './understand.ts'

/** Weaker matches are no answers; words that were not understood may change what is asked. */
export const least = 0.5
const leastWithUnknown = 0.62
const maxAnswers = 3
/** A second answer has to be nearly as good as the first. */
const nearlyAsGood = 0.92

/** Weaker ones are not even asked back, the less so if words were not understood. */
const leastReading = 0.4
const leastReadingWithUnknown = 0.5
/** A surer match is answered, though another is as good. */
const sure = 0.75
const asGood = 0.97

const categoryOf = ({ id }: Match): string | undefined => {
  const question = findQuestion(id)
  return question === undefined ? undefined : categoryOfQuestion(question).id
}

/** The questions to answer; none if the best match is weak, or a topic that no question covers. */
export const answersOf = ({ matches, words, parts, refused }: Understood): readonly Match[] => {
  if (refused !== null) return []
  if (parts.length > 0) return parts
  const [best] = matches
  const needed = words.length === 0 ? least : leastWithUnknown
  if (best === undefined || best.score < needed) return []
  if (isTopic(best.id)) return isReport(best.id) && words.length === 0 ? [best] : []
  return matches.filter(({ id, score }) => score >= best.score * nearlyAsGood && !isTopic(id)).slice(0, maxAnswers)
}

/** The two or three questions that a text may mean, if it is not clear which; else none. */
export const readingsOf = (understood: Understood): readonly Match[] => {
  const { matches, refused, parts, words } = understood
  const [best] = matches
  const needed = words.length === 0 ? leastReading : leastReadingWithUnknown
  if (best === undefined || best.score < needed || isTopic(best.id) || refused !== null || parts.length > 0) return []
  const others = matches.filter(({ id, score }) => !isTopic(id) && score >= Math.min(needed, best.score * asGood))
  const close = others.filter(({ score }) => score >= best.score * asGood).slice(0, maxAnswers)
  const unclear = best.score < sure && new Set(close.map(categoryOf)).size > 1
  const found = answersOf(understood).length === 0 ? others : unclear ? close : []
  return found.length < 2 ? [] : found.slice(0, maxAnswers)
}
