// Hits at a fixed rate on the year's file while the service has other work: what that does to their latency.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { daysBefore } from './cache.mjs'
import { startGenerator } from './generator.mjs'
import { ask, askJson, authorize, startProduct } from './processes.mjs'
import { ranged } from './report-times.mjs'
import { column } from './rounds.mjs'
import { api, hitPath } from './seed.mjs'
import { failureOf, paired } from './statistics.mjs'
import { yearCopy } from './year.mjs'

const runJob = async ({ url, headers }, name) => {
  const {
    jobs: [{ ok, message }],
  } = await askJson(`${url}${api}/cron/run`, headers, JSON.stringify({ jobs: [name] }))
  if (!ok) throw new Error(`the job ${name} failed: ${message}`)
}

const tables = ['event', 'session', 'view']

/** The highest row of each table, or how many rows up to these there are. Ids grow with time. */
const lookAt = (data, read) => {
  const db = new Database(data, { readonly: true })
  const found = tables.map(table =>
    read(
      (sql, ...values) =>
        db
          .prepare(sql)
          .pluck()
          .get(...values),
      table,
    ),
  )
  db.close()
  return found
}
const newestRows = data => lookAt(data, (get, table) => get(`select coalesce(max(id), 0) from ${table}`))
const rowsUpTo = (data, ids) =>
  lookAt(data, (get, table) => get(`select count(*) from ${table} where id <= ?`, ids[tables.indexOf(table)])).reduce(
    (sum, count) => sum + count,
  )

/** All but the last 30 days are purged. */
export const purge = async ({ url, headers, data }) => {
  const newest = newestRows(data)
  const before = rowsUpTo(data, newest)
  const { status, body } = await ask(
    `${url}${api}/settings`,
    headers,
    JSON.stringify({ retention_mode: 'delete', retention_days: 30 }),
    'PUT',
  )
  if (status !== 200) throw new Error(`/settings answered ${status}: ${body}`)
  let [over, failed] = [false, null]
  runJob({ url, headers }, 'retention')
    .catch(error => {
      failed = error
    })
    .finally(() => {
      over = true
    })
  return {
    over: () => over,
    end: async () => {
      const deleted = before - rowsUpTo(data, newest)
      // A purge that is stopped with the service has not failed: only what went wrong until now counts.
      if (failed !== null) throw failed
      if (deleted === 0) throw new Error('nothing was purged')
      return `${deleted.toLocaleString('en-US')} rows purged meanwhile`
    },
  }
}

/** The job `backup`, again and again. */
export const backups = async ({ url, headers, data }) => {
  let [ended, made] = [false, 0]
  const work = async () => {
    while (!ended) {
      await runJob({ url, headers }, 'backup')
      made += 1
    }
  }
  const working = work()
  working.catch(() => {})
  return {
    end: async () => {
      ended = true
      await working
      return `${made} backups of ${Math.round(statSync(data).size / 2 ** 20)} MiB`
    },
  }
}

const asked = ['summary', 'pages', 'sources', 'dimensions/country']

/** Two connections ask for reports without a pause, over 30 and 365 days. */
export const constantReports = async ({ context, url, headers, day }) => {
  const readers = startGenerator(context)
  const paths = [30, 365].flatMap(days => asked.map(name => ranged(name, daysBefore(day, days), day)))
  const results = []
  return {
    during: async seconds => {
      results.push(await readers.run('closed', { url, paths, headers, connections: 2, seconds }))
    },
    end: async () => {
      const failed = failureOf(results, 200)
      if (failed !== null) throw new Error(failed)
      return `${Math.round(results.reduce((sum, { rate }) => sum + rate, 0) / results.length).toLocaleString('en-US')} reports/s beside`
    },
  }
}

/**
 * Latency of hits at a rate while all of `works` go on; the limit is the same service before they began. A work gives
 * `end` (a note on what was done, or throws), and may give `over` (nothing is left to do) and `during` (takes part in a
 * round of so many seconds).
 */
export const hitsUnderLoad = (rate, works) => async context => {
  const { data, day } = await yearCopy(context)
  const generator = startGenerator(context)
  const product = await startProduct(context, data, {
    env: { FOOTFALL_BACKUP_FOLDER: join(context.folder, 'backups') },
  })
  const service = { context, url: product.url, headers: authorize(context, data), data, day }
  const hits = () =>
    generator.run('paced', {
      url: product.url,
      path: hitPath,
      connections: 64,
      rate,
      warm: context.warm,
      seconds: context.seconds,
    })
  const alone = []
  for (let round = 0; round < context.rounds; round++) {
    context.progress(`without, round ${round + 1} of ${context.rounds}`)
    alone.push(await hits())
  }
  const begun = []
  for (const work of works) begun.push(await work(service))
  const together = []
  for (let round = 0; round < context.rounds; round++) {
    context.progress(`with, round ${round + 1} of ${context.rounds}`)
    const [result] = await Promise.all([hits(), ...begun.map(({ during }) => during?.(context.warm + context.seconds))])
    if (begun.some(({ over }) => over?.())) break
    together.push(result)
  }
  if (together.length === 0) throw new Error('the work was over before a round was: it needs more views (--views)')
  const notes = []
  for (const { end } of begun) notes.push(await end())
  await product.stop()
  const failed = failureOf([...alone, ...together], 204)
  const pair = key => ({
    ...paired(column(together, key), column(alone.slice(0, together.length), key)),
    ...(failed !== null && { failed }),
  })
  const slowest = `slowest ${Math.round(Math.max(...column(together, 'max')))} ms`
  return {
    p50: pair('p50'),
    p99: { ...pair('p99'), note: [`${together.length} rounds`, slowest, ...notes].join(', ') },
  }
}
