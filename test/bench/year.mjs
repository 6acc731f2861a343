// A database of a year of visits, the reports on it, and how fast visits are imported.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { daysBefore, importLines, keptCopy, lastDay } from './kept.mjs'
import { reportTimes } from './report-times.mjs'

export const yearLines = fileURLToPath(new URL('year-lines.mjs', import.meta.url))
const seed = 1

/** Imports days of visits into a new file; gives how many lines a second that were. */
export const importDays = async (context, views, days, day, data) => {
  const told = await importLines(context, yearLines, [views, days, day, seed], 'requests', data)
  return Number(told.match(/\(([\d,]+) lines a second\)/)?.[1]?.replaceAll(',', ''))
}

const yearCopy = (context, views) => keptCopy(context, {
  name: `year-${views}`, scripts: [yearLines], make: (data, day) => importDays(context, views, 365, day, data),
})

/** As many visits a day as a site of 10 M views a year has. */
const importedDays = 4

/** Lines a second, into a new file. */
export const importRate = async context => {
  const rates = []
  for (let round = 0; round < context.rounds; round++) {
    context.progress(`round ${round + 1} of ${context.rounds}`)
    rates.push(await importDays(context, context.importViews, importedDays, lastDay(), join(context.folder, `import-${round}.db`)))
  }
  return { rate: { value: rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)] } }
}

/** Every report over a range of the year. */
export const yearReports = (names, days) => async context => {
  const { data, day } = await yearCopy(context, context.yearViews)
  const size = statSync(data).size
  const times = await reportTimes(context, data, names, `from=${daysBefore(day, days)}&to=${day}`)
  return { bytes: { value: size / context.yearViews, note: `${context.yearViews.toLocaleString('en-US')} views, ${Math.round(size / 2 ** 20)} MiB` }, ...times }
}
