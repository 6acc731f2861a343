import * as v from 'valibot'
import { isPlain, type Plain } from '../commands/report-tables.ts'
import { advisorAnswers, lang, range } from '../endpoints/advisor.ts'
import { advisorAsk } from '../endpoints/advisor-ask.ts'
import { annotationBody } from '../endpoints/annotations.ts'
import { languageEntry } from '../http/language.ts'
import { annotationList } from '../reports/of/annotations.ts'
import { realtime } from '../reports/of/realtime.ts'
import { answersText, diagnosticsText, maxRows, reportText } from './answer-text.ts'
import type { ApiCall } from './api.ts'
import { reportTools } from './report-tools.ts'
import { type Tool, tool, writtenByVisitors } from './tool.ts'

const textOf = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, typeof value === 'boolean' ? String(Number(value)) : String(value)]],
    ),
  )

const get = (path: string, query: object = {}): ApiCall => ({ method: 'GET', path, query: textOf(query) })
const post = (path: string, body: unknown): ApiCall => ({ method: 'POST', path, body })

const listOf = (value: unknown): Plain[] => (Array.isArray(value) ? value.filter(isPlain) : [])

const { explain: _, ...realtimeEntries } = realtime.query.entries
const { explain: __, ...annotationEntries } = annotationList.query.entries

/** The questions that hold each word of the search. */
const found = (questions: unknown, search: string): Plain[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return listOf(questions).filter(({ id, searchable }) => {
    const text = [id, ...(Array.isArray(searchable) ? searchable : [])].join('\n').toLowerCase()
    return words.every(word => text.includes(word))
  })
}

const questionsText = (questions: readonly Plain[]): string => {
  const more = questions.length - maxRows
  return [
    `${questions.length} ${questions.length === 1 ? 'question' : 'questions'}. The tool answers takes their ids.`,
    '',
    ...questions
      .slice(0, maxRows)
      .map(
        ({ id, question, params }) =>
          `${String(id)}  ${String(question)}${Array.isArray(params) ? ` (takes ${params.join(', ')})` : ''}`,
      ),
    ...(more > 0 ? ['', `truncated: ${more} more are in structuredContent. Search for a word to see fewer.`] : []),
  ].join('\n')
}

/** Why there is no answer, and what can be asked instead. */
const askedNotes = ({ message, understood, answers }: Plain): string[] => [
  ...(typeof message === 'string' ? [message] : []),
  ...(isPlain(understood) && listOf(answers).length > 0
    ? [`Understood: ${JSON.stringify(understood.filters)}, ${String(understood.from)} to ${String(understood.to)}.`]
    : []),
]

const annotate = tool({
  name: 'annotate',
  title: 'Note something',
  description:
    'Adds an annotation that everybody who reads the figures sees: a deployment, a campaign, an outage. It is the only ' +
    'tool that changes something. Use it only if the user asked for it.',
  input: v.strictObject(annotationBody.entries),
  writes: true,
  run: async (args, api) => {
    const { body } = await api(post('/annotations', args))
    return { body, text: `Annotation ${String(body.id)} was added at ${String(body.at)}.` }
  },
})

const reading: readonly Tool[] = [
  ...reportTools,
  tool({
    name: 'ask',
    title: 'A question in plain words',
    description:
      'Answers a question such as "how many visitors came from Germany last week?", in English, German, French or ' +
      `Spanish, from a fixed list of questions. One that is not known gets the nearest ones.${writtenByVisitors}`,
    input: v.strictObject(advisorAsk.body?.entries ?? {}),
    run: async (args, api) => {
      const { body } = await api(post('/advisor/ask', args))
      return { body, text: answersText([...listOf(body.answers), ...listOf(body.readings)], askedNotes(body)) }
    },
  }),
  tool({
    name: 'answers',
    title: 'Answers to known questions',
    description: `Answers questions by the ids that the tool questions lists, such as q31.${writtenByVisitors}`,
    input: v.strictObject(advisorAnswers.body?.entries ?? {}),
    run: async (args, api) => {
      const { body } = await api(post('/advisor/answers', args))
      return {
        body,
        text: answersText(listOf(body.answers), [`Days: ${String(body.from)} to ${String(body.to)}.`]),
      }
    },
  }),
  tool({
    name: 'questions',
    title: 'The questions that can be answered',
    description: 'Lists the questions that the tool answers takes by their ids.',
    input: v.strictObject({
      search: v.optional(v.pipe(v.string(), v.maxLength(200), v.description('Words that a question must hold.')), ''),
      ...range,
      lang,
    }),
    run: async ({ search, ...query }, api) => {
      const { body } = await api(get('/advisor/questions', query))
      const questions = found(body.questions, search)
      return { body: { ...body, questions }, text: questionsText(questions) }
    },
  }),
  tool({
    name: 'realtime',
    title: 'Visitors now',
    description: `Visitors on the site now, their pages, and the page views of the last 30 minutes.${writtenByVisitors}`,
    input: v.strictObject(realtimeEntries),
    run: async (args, api) => {
      const { body } = await api(get('/realtime', args))
      return { body, text: reportText(realtime.summary, body, null) }
    },
  }),
  tool({
    name: 'diagnostics',
    title: 'The state of the installation',
    description: 'Whether counting works: what was received and refused in the last 24 hours, jobs, and problems.',
    input: v.strictObject(languageEntry),
    run: async (args, api) => {
      const { body } = await api(get('/diagnostics', args))
      return { body, text: diagnosticsText(body) }
    },
  }),
  tool({
    name: 'annotations',
    title: 'What was noted about the figures',
    description:
      'What somebody noted of the days of a range (deployments, campaigns, outages), and what the service noted by ' +
      'itself: imports, changes of settings, hours in which nothing was counted.',
    input: v.strictObject(annotationEntries),
    run: async (args, api) => {
      const { body } = await api(get('/annotations', args))
      return { body, text: reportText(annotationList.summary, body, null) }
    },
  }),
]

/** The tools of a server; `annotate` only if it is allowed. */
export const toolsFor = (allowAnnotations: boolean): readonly Tool[] =>
  allowAnnotations ? [...reading, annotate] : reading
