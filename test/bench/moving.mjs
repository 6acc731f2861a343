// How fast histories of other programs and access logs come in, compared with reading the same file and nothing more.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { browsers } from './browsers.mjs'
import { daysBefore, lastDay } from './cache.mjs'
import { pinned } from './machine.mjs'
import { column, interleave } from './rounds.mjs'
import { paired } from './statistics.mjs'
import { createRandom } from './traffic.mjs'

const readRows = fileURLToPath(new URL('read-rows.mjs', import.meta.url))
const pages = 2000
const days = 28
const dayLength = 24 * 3600 * 1000

/** The moment of a row, spread evenly over the days before one. */
const momentOf = (index, rows, until = lastDay()) =>
  new Date(Date.parse(daysBefore(until, days)) + (index / rows) * days * dayLength)

const userAgents = browsers.map(({ agent }) => agent)

const page = random => `/page/${Math.floor(random() * random() * pages)}`

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `01/Mar/2026:06:25:41 +0000` */
const logTime = at => {
  const [date, time] = at.toISOString().split(/[T.]/)
  const [year, month, day] = date.split('-')
  return `${day}/${months[month - 1]}/${year}:${time} +0000`
}

/** The header of a file, how its row `index` is made, and how it is imported and read alone. */
const files = {
  // A page of a day each, in addition to the totals of the days in a file of their own.
  sums: {
    header: 'date,hostname,page,visits,visitors,pageviews,total_time_on_page',
    row: (index, rows) => {
      const perDay = Math.ceil(rows / days)
      const date = daysBefore(lastDay(), days - Math.floor(index / perDay))
      return `${date},example.org,/page/${index % perDay},1,1,2,30`
    },
    beside: rows => [
      'date,visitors,pageviews,bounces,visits,visit_duration',
      ...Array.from({ length: days }, (_, day) => {
        const perDay = Math.ceil(rows / days)
        return `${daysBefore(lastDay(), days - day)},${perDay},${2 * perDay},0,${perDay},${30 * perDay}`
      }),
    ],
    flags: [],
    alone: 'csv',
  },
  visits: {
    header:
      'session_id,visit_id,event_id,hostname,browser,os,device,country,url_path,referrer_domain,page_title,event_type,created_at',
    row: (index, rows, random, until) => {
      const visit = Math.floor(index / 4)
      const at = momentOf(index, rows, until).toISOString().slice(0, 19).replace('T', ' ')
      const path = page(random)
      return `s${visit >> 1},v${visit},e${index},example.org,chrome,Windows 10,desktop,DE,${path},google.com,Title of ${path},1,${at}`
    },
    flags: [],
    alone: 'csv',
  },
  log: {
    header: null,
    row: (index, rows, random, until) => {
      const isPage = random() < 0.3
      const path = isPage ? page(random) : `/assets/${index % 400}.js`
      const address = `198.51.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`
      const agent = userAgents[index % userAgents.length]
      return `${address} - - [${logTime(momentOf(index, rows, until))}] "GET ${path} HTTP/1.1" 200 5120 "https://www.google.com/" "${agent}"`
    },
    flags: ['--format', 'access-log'],
    alone: 'lines',
  },
}

const rowsAtOnce = 10_000

const writeRows = (path, { header, row }, rows, until) => {
  const file = openSync(path, 'w')
  const random = createRandom(1)
  if (header !== null) writeSync(file, `${header}\n`)
  for (let index = 0; index < rows; index += rowsAtOnce) {
    const length = Math.min(rowsAtOnce, rows - index)
    writeSync(file, `${Array.from({ length }, (_, offset) => row(index + offset, rows, random, until)).join('\n')}\n`)
  }
  closeSync(file)
}

/** Single visits, or lines of an access log, all of them before a day. */
export const writeVisits = (path, rows, until) => writeRows(path, files.visits, rows, until)
export const writeLog = (path, rows, until) => writeRows(path, files.log, rows, until)

/** Rows a second of a whole process, its start included. */
const timed = (context, command, rows) => {
  const [file, ...args] = pinned(context.cores?.service, command)
  const from = performance.now()
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}${stdout}`)
  return { rate: (rows / (performance.now() - from)) * 1000 }
}

/** @param kind which of the files */
export const movingRate = kind => async context => {
  const rows = context.movingRows
  const { beside, flags, alone } = files[kind]
  const path = join(context.folder, `${kind}.txt`)
  writeRows(path, files[kind], rows)
  const paths = [path]
  if (beside !== undefined) {
    paths.push(join(context.folder, `${kind}-totals.csv`))
    writeRows(paths[1], { header: null, row: index => beside(rows)[index] }, beside(rows).length)
  }
  let made = 0
  const data = () => join(context.folder, `${kind}-${(made += 1)}.db`)
  const importing = () => [...context.program, 'import', ...paths, ...flags, '--timezone', 'UTC', '--data', data()]
  const { product, limit } = await interleave(
    context,
    () => timed(context, importing(), rows),
    () => timed(context, [process.execPath, readRows, alone, path], rows),
  )
  const note = `${rows.toLocaleString('en-US')} rows, ${Math.round(statSync(path).size / 2 ** 20)} MiB`
  rmSync(path)
  return { rate: { ...paired(column(product, 'rate'), column(limit, 'rate')), note } }
}
