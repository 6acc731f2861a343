// See run.mjs.

import { askSentences, type Sentence, wrongSlots } from '../support/ask-sentences.ts'
import { footfallHere } from '../support/command.ts'
import { temporaryFolder } from '../support/program.ts'
import { withService } from '../support/service.ts'

const demo = ['--seed', '1', '--to', '2026-11-24', '--visits', '8000', '--timezone', 'Europe/Berlin']
/** A Tuesday. */
const now = '2026-11-24T11:00:00Z'

type Body = {
  understood: Parameters<typeof wrongSlots>[1] & { words: string[] }
  answers: { id: string; summary: string }[]
  readings?: { id: string }[]
  message: string | null
}

type Scored = Sentence & {
  first: boolean
  three: boolean
  answered: boolean
  /** Answered, but not rightly. */
  wrong: boolean
  /** The answer says which words had no effect. */
  warned: boolean
  slotsWrong: number
  said: string
}

const scored = (sentence: Sentence, { understood, answers, readings = [], message }: Body): Scored => {
  const missed = wrongSlots(sentence, understood)
  const answered = answers.length > 0
  const ids = answers.map(({ id }) => id)
  const inOrder = sentence.right.every((part, at) => part.includes(ids[at] ?? ''))
  const among = sentence.right.every(part => [...answers, ...readings].some(({ id }) => part.includes(id)))
  const known = sentence.right.length > 0
  const first = known ? answered && inOrder && missed.length === 0 : !answered
  return {
    ...sentence,
    first,
    three: known ? among && missed.length === 0 : !answered,
    answered,
    wrong: answered && !first,
    warned: message !== null,
    slotsWrong: missed.length,
    said: `${ids.join(' ') || 'none'} ${JSON.stringify(understood)} ${message ?? ''}`,
  }
}

const share = (all: readonly Scored[], is: (one: Scored) => boolean): string =>
  all.length === 0 ? '-' : `${Math.round((100 * all.filter(is).length) / all.length)} %`

const row = (all: readonly Scored[]) => {
  const known = all.filter(({ right }) => right.length > 0)
  const slotted = known.filter(({ slots }) => slots.some(({ optional }) => !optional))
  return {
    sentences: all.length,
    'right first': share(known, ({ first }) => first),
    'among three': share(known, ({ three }) => three),
    'wrong without warning': share(known, ({ wrong, warned }) => wrong && !warned),
    'wrong with warning': share(known, ({ wrong, warned }) => wrong && warned),
    refused: share(known, ({ answered }) => !answered),
    'unknowable answered': share(
      all.filter(({ right }) => right.length === 0),
      ({ answered }) => answered,
    ),
    'slots right': share(slotted, ({ slotsWrong }) => slotsWrong === 0),
  }
}

const tableBy = (all: readonly Scored[], key: 'language' | 'kind'): void => {
  const names = [...new Set(all.map(one => one[key]))]
  console.table(
    Object.fromEntries([
      ...names.map(name => [name, row(all.filter(one => one[key] === name))] as const),
      ['all', row(all)] as const,
    ]),
  )
}

const evaluate = async (name: 'open' | 'aside', list: boolean): Promise<void> => {
  const file = temporaryFolder().path('ask.db')
  const made = await footfallHere(['demo', '--data', file, ...demo])
  if (made.status !== 0) throw new Error(made.stderr)
  const all: Scored[] = []
  await withService({ file, start: now, flags: { allowedHosts: 'alder-and-clay.example' } }, async ({ api }) => {
    for (const sentence of askSentences(name)) {
      const asked = { text: sentence.text, lang: sentence.language }
      const { body } = await api('/advisor/ask', {
        method: 'POST',
        body: JSON.stringify(asked),
        headers: { 'content-type': 'application/json' },
      })
      all.push(scored(sentence, body as Body))
    }
  })
  console.log(name)
  tableBy(all, 'language')
  tableBy(all, 'kind')
  if (list) for (const { text, said } of all.filter(({ first }) => !first)) console.log(`${text}\n  ${said}`)
}

const aside = process.argv.includes('--aside')
void evaluate(aside ? 'aside' : 'open', !aside && process.argv.includes('--list')).then(() => process.exit())
