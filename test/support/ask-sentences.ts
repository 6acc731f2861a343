// Sentences about the demo site with what is right, written before anybody looked at the lexicon: test/fixtures/ask-eval.
import { readFileSync } from 'node:fs'
import { serviceNamed } from '../../src/channel/services.ts'
import { cellsOf } from './ask-questions.ts'

/**
 * `right` has the ids of each part, or none for what cannot be known; `slots` are pairs of key and values, any of which
 * will do. Slots whose key ends in `?` may be missing.
 */
export type Sentence = {
  language: string
  kind: string
  text: string
  right: readonly (readonly string[])[]
  slots: readonly { key: string; optional: boolean; values: readonly string[] }[]
}

const slotOf = (pair: string): Sentence['slots'][number] => {
  const [key = '', values = ''] = pair.split('=')
  return { key: key.replace('?', ''), optional: key.endsWith('?'), values: values.split('~') }
}

export const askSentences = (name: 'open' | 'aside'): Sentence[] =>
  readFileSync(`test/fixtures/ask-eval/${name}.csv`, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => {
      const [language = '', kind = '', text = '', right = '', understood = ''] = cellsOf(line)
      return {
        language,
        kind,
        text,
        right: right === 'none' ? [] : right.split('&').map(part => part.split('|')),
        slots: understood === '' ? [] : understood.split(';').map(slotOf),
      }
    })

type Understood = {
  from: string
  to: string
  period: string
  compare?: string | null
  filters: Record<string, string>
}

/** Sources may be named by their host or their name. */
const plain = (key: string, value: string): string => {
  if (key !== 'source') return value
  const not = value.startsWith('!') ? '!' : ''
  return not + (serviceNamed(value.slice(not.length))?.name ?? value.slice(not.length)).toLowerCase()
}

/** What the answer says of a slot; undefined if it says nothing. */
const saidOf = ({ from, to, period, compare, filters }: Understood): Record<string, string | undefined> => ({
  ...filters,
  ...(period === 'last_30_days' ? {} : { period, from: from.replaceAll('-', ''), to: to.replaceAll('-', '') }),
  ...(compare == null ? {} : { compare }),
})

/** The slots that are wrong, missing or too many, by key. */
export const wrongSlots = ({ slots }: Sentence, understood: Understood): string[] => {
  const said = saidOf(understood)
  const days = slots.some(({ key }) => ['period', 'from', 'to'].includes(key))
  const wrong = slots.filter(({ key, optional, values }) => {
    const value = said[key]
    if (value === undefined) return !optional
    return !(optional && values[0] === '') && !values.some(one => plain(key, one) === plain(key, value))
  })
  const known = new Set(slots.map(({ key }) => key))
  const extra = Object.keys(said).filter(key => !known.has(key) && !(days && ['period', 'from', 'to'].includes(key)))
  return [...wrong.map(({ key }) => key), ...extra]
}
