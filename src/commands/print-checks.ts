import type { CheckResult, Status } from '../checks/result.ts'
import { type Sentence, wordsOf } from '../checks/sentences.ts'
import { english } from '../lib/texts.ts'

/** Labels for checks that either pass or fail. */
export const okOrFailed: Readonly<Record<Status, string>> = {
  ok: 'ok',
  info: 'ok',
  warning: 'WARNING',
  critical: 'FAILED',
}

/** Prints one paragraph per check: its status and label, then its message and the suggested fix. */
export const printChecks = (
  print: (line: string) => void,
  results: readonly CheckResult[],
  labels: Readonly<Record<Status, string>> = okOrFailed,
): void => {
  const width = Math.max(...results.map(({ status }) => labels[status].length)) + 2
  const words = (sentence: Sentence): string => wordsOf(sentence, english)
  for (const { status, label, message, fix, evidence } of results) {
    const measured = evidence === undefined ? '' : ` (${evidence})`
    const lines = [label === undefined ? `${words(message)}${measured}` : words(label)]
    if (label !== undefined) lines.push(`${words(message)}${measured}`)
    if (fix !== undefined) lines.push(words(fix))
    print(lines.map((line, index) => `${(index === 0 ? labels[status] : '').padEnd(width)}${line}`).join('\n'))
  }
}
