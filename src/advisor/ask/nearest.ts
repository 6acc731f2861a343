// What to ask instead, or where to look.
import patternTexts from '../../../data/advisor/ask/questions.json'
import { findQuestion } from '../inventory.ts'
import type { QuestionId } from '../language.ts'
import type { Match } from './subject.ts'

/** A question, or the report or command that shows what no question asks. */
export type Nearest = { id?: string; report?: string; command?: string; question: string }
type Place = { id?: QuestionId; report?: string; command?: string; text?: string }

const maxNearest = 3
/** Weaker matches have nothing to do with the text. */
const minScore = 0.2
const usual = ['q2', 'q41', 'q23', 'q101']

/** By topic: reports (`dimensions/hour`), commands (`shop reconcile`) and questions. */
const ofTopics: Readonly<Record<string, readonly string[]>> = patternTexts.nearest

const placeOf = (name: string): Place => {
  const question = findQuestion(name)
  if (question !== undefined) return { id: question.id }
  return name.includes('/') ? { report: name, text: name } : { command: name, text: name }
}

/** The three nearest, without those that are answered. */
export const nearestOf = (matches: readonly Match[], answered: readonly Match[]): Place[] => {
  const [best] = matches
  const names = [
    ...(answered.length > 0 || best === undefined ? [] : (ofTopics[best.id] ?? [])),
    ...matches.filter(({ id, score }) => score >= minScore && findQuestion(id) !== undefined).map(({ id }) => id),
    ...usual,
  ]
  const others = [...new Set(names)].filter(name => !answered.some(({ id }) => id === name))
  return others.slice(0, maxNearest).map(placeOf)
}
