// A database of a year of visits, and what it is used for: reports, import and rebuild.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedCopy, daysBefore, importLines, isCached, lastDay } from './cache.mjs'
import { pinned } from './machine.mjs'
import { ranged, reportTimes, sized } from './report-times.mjs'
import { median } from './statistics.mjs'

const yearLines = fileURLToPath(new URL('year-lines.mjs', import.meta.url))
const seed = 1

/** Imports days of visits into a new file; returns how many lines a second that were. */
export const importDays = async (context, views, days, day, data) => {
  const told = await importLines(context, yearLines, [views, days, day, seed], 'requests', data)
  return Number(told.match(/\(([\d,]+) lines per second\)/)?.[1]?.replaceAll(',', ''))
}

/** What makes the lines of a database with visits. */
export const yearScripts = [yearLines]

const nameOf = views => `year-${views}`

export const yearIsCached = views => isCached(nameOf(views), yearScripts)

/** A copy of the year with as many views, and its last day. */
export const yearCopy = (context, views = context.yearViews) =>
  cachedCopy(context, {
    name: nameOf(views),
    scripts: yearScripts,
    make: (data, day) => importDays(context, views, 365, day, data),
  })

/** As many visits a day as a site of 10 M views a year has. */
const importedDays = 4

/** Lines a second, into a new file. */
export const importRate = async context => {
  const rates = []
  for (let round = 0; round < context.rounds; round++) {
    context.progress(`round ${round + 1} of ${context.rounds}`)
    rates.push(
      await importDays(
        context,
        context.importViews,
        importedDays,
        lastDay(),
        join(context.folder, `import-${round}.db`),
      ),
    )
  }
  return { rate: { value: median(rates), rounds: rates } }
}

export const bytesPerView = (data, views) => {
  const size = statSync(data).size
  return { value: size / views, note: `${views.toLocaleString('en-US')} views, ${Math.round(size / 2 ** 20)} MiB` }
}

/** Every report over a range of closed days. */
export const yearReports = (names, days) => async context => {
  const { data, day } = await yearCopy(context)
  const bytes = bytesPerView(data, context.yearViews)
  const times = await reportTimes(
    context,
    data,
    names.map(name => ({ key: name, path: ranged(name, daysBefore(day, days), day) })),
  )
  return sized(context.yearViews, { bytes, ...times })
}

/** No further rebuild begins after so many milliseconds. */
const longEnough = 60_000

/** Views a second of `footfall rebuild`, which derives all days of the year. */
export const rebuildRate = async context => {
  const { data } = await yearCopy(context)
  const [file, ...args] = pinned(context.cores?.service, [...context.program, 'rebuild', '--data', data])
  const rates = []
  for (const begun = performance.now(); rates.length < context.rounds && performance.now() - begun < longEnough; ) {
    context.progress(`round ${rates.length + 1} of ${context.rounds}`)
    const from = performance.now()
    const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`rebuild ended with ${status}: ${stderr}`)
    if (!stdout.includes('Recalculated 365 days. No figures changed.')) throw new Error(`rebuild says: ${stdout}`)
    rates.push((context.yearViews / (performance.now() - from)) * 1000)
  }
  return {
    rate: {
      value: median(rates),
      rounds: rates,
      note: `${context.yearViews.toLocaleString('en-US')} views, ${rates.length} rebuilds`,
    },
  }
}
