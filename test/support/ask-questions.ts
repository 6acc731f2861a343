// Questions of people who are no analysts, with the answers that are right: test/fixtures/ask.
import { readFileSync } from 'node:fs'

/** `right` names questions, or is `none`; `understood` has pairs of key and value, or says why there is no answer. */
export type AskQuestion = { language: string; text: string; right: readonly string[]; understood: string }

export const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^",]*))/g)].map(([, quoted, plain = '']) => quoted ?? plain)

export const askQuestions = (name: string): AskQuestion[] =>
  readFileSync(`test/fixtures/ask/${name}.csv`, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => {
      const [language = '', text = '', right = '', understood = ''] = cellsOf(line)
      return { language, text, right: right.split('|'), understood }
    })
