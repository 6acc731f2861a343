import type { CheckResult, Status } from '../checks/result.ts'

/** For checks that either hold or fail. */
export const okOrFailed: Readonly<Record<Status, string>> = {
  ok: 'ok',
  info: 'ok',
  warning: 'WARNING',
  critical: 'FAILED',
}

/** Prints one paragraph a check: its status and what it says, below that its explanation and the next step. */
export const printChecks = (
  print: (line: string) => void,
  results: readonly CheckResult[],
  words: Readonly<Record<Status, string>> = okOrFailed,
): void => {
  const width = Math.max(...results.map(({ status }) => words[status].length)) + 2
  for (const { status, label, message, fix, evidence } of results) {
    const measured = evidence === undefined ? '' : ` (${evidence})`
    const lines = [label ?? `${message}${measured}`]
    if (label !== undefined) lines.push(`${message}${measured}`)
    if (fix !== undefined) lines.push(fix)
    print(lines.map((line, index) => `${(index === 0 ? words[status] : '').padEnd(width)}${line}`).join('\n'))
  }
}
