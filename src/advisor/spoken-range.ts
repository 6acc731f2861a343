import type { Range } from '../reports/range.ts'
import { addDays, weekday, type Day } from '../lib/time.ts'

const monthStart = (day: Day): Day => day - (day % 100) + 1
const yearStart = (day: Day): Day => day - (day % 10_000) + 101
const weekStart = (day: Day): Day => addDays(day, 1 - weekday(day))

const lastMonth = (today: Day): Range => {
  const to = addDays(monthStart(today), -1)
  return { from: monthStart(to), to }
}

const lastWeek = (today: Day): Range => ({ from: addDays(weekStart(today), -7), to: addDays(weekStart(today), -1) })

type RangePattern = { words: RegExp; range: (today: Day, count: number) => Range }

const maxDays = 3660

/** Expressions for ranges in the four languages, without accents. The first match wins. */
const rangePatterns: readonly RangePattern[] = [
  {
    words:
      /\b(?:last|past|letzten?|vergangenen|derniers|ultimos)\s+(\d{1,4})\s+(?:days|tagen?|jours|dias)\b|\b(\d{1,4})\s+derniers jours\b/,
    range: (today, count) => ({ from: addDays(today, 1 - Math.min(Math.max(count, 1), maxDays)), to: today }),
  },
  {
    words: /\b(?:day before yesterday|vorgestern|avant-hier|anteayer)\b/,
    range: today => ({ from: addDays(today, -2), to: addDays(today, -2) }),
  },
  {
    words: /\b(?:yesterday|gestern|hier|ayer)\b/,
    range: today => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  },
  { words: /\b(?:today|heute|aujourd['’]?hui|hoy)\b/, range: today => ({ from: today, to: today }) },
  { words: /\b(?:last week|letzte[nr]? woche|la semaine (?:derniere|passee)|la semana pasada)\b/, range: lastWeek },
  {
    words: /\b(?:this week|diese[nr]? woche|cette semaine|esta semana)\b/,
    range: today => ({ from: weekStart(today), to: today }),
  },
  { words: /\b(?:last month|letzte[nm]? monat|le mois dernier|el mes pasado)\b/, range: lastMonth },
  {
    words: /\b(?:this month|diese[nm]? monat|ce mois(?:-ci)?|este mes)\b/,
    range: today => ({ from: monthStart(today), to: today }),
  },
  {
    words: /\b(?:last year|letzte[ns]? jahr|l['’]annee derniere|el ano pasado)\b/,
    range: today => ({ from: yearStart(today) - 10_000, to: addDays(yearStart(today), -1) }),
  },
  {
    words: /\b(?:this year|diese[sm]? jahr|cette annee|este ano)\b/,
    range: today => ({ from: yearStart(today), to: today }),
  },
]

/** The range named by a text, or null, and the text without it. */
export const spokenRange = (text: string, today: Day): { range: Range | null; rest: string } => {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  for (const { words, range } of rangePatterns) {
    const match = words.exec(plain)
    if (match !== null)
      return { range: range(today, Number(match[1] ?? match[2] ?? 0)), rest: plain.replace(words, ' ') }
  }
  return { range: null, rest: plain }
}
