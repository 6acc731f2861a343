import { addDays, type Day, dayText } from '../lib/time.ts'

/** Formats days as ranges: '2026-03-01 to 2026-03-05, 2026-03-09'. */
export const rangesText = (days: readonly Day[]): string => {
  const ranges: { from: Day; to: Day }[] = []
  for (const day of [...days].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && addDays(last.to, 1) === day) last.to = day
    else ranges.push({ from: day, to: day })
  }
  return ranges.map(({ from, to }) => (from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`)).join(', ')
}
