// Hits at a fixed rate on the year's file while the service has other work: what that does to their latency.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { inBackground } from './background.mjs'
import { daysBefore } from './cache.mjs'
import { startGenerator } from './generator.mjs'
import { pinned } from './machine.mjs'
import { writeLog, writeVisits } from './moving.mjs'
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
  const { over, check } = inBackground(() => runJob({ url, headers }, 'retention'))
  return {
    over,
    end: async () => {
      const deleted = before - rowsUpTo(data, newest)
      // A purge that is stopped with the service has not failed: only what went wrong until now counts.
      check()
      if (deleted === 0) throw new Error('nothing was purged')
      return `${deleted.toLocaleString('en-US')} rows purged meanwhile`
    },
  }
}

/** The job `backup`, again and again. */
export const backups = async ({ url, headers, data }) => {
  let made = 0
  const background = inBackground(async ended => {
    while (!ended()) {
      await runJob({ url, headers }, 'backup')
      made += 1
    }
  })
  return {
    end: async () => {
      await background.end()
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

/** Requests of a counter that anybody may ask, at a rate. */
export const counterFlood =
  rate =>
  async ({ context, url, headers }) => {
    const link = JSON.stringify({ name: 'counted', counter: { figure: 'views' } })
    const { status, body } = await ask(`${url}${api}/share-links`, headers, link)
    if (status !== 201) throw new Error(`/share-links answered ${status}: ${body}`)
    const paths = [`${api}/counter/${JSON.parse(body).uuid}`]
    const strangers = startGenerator(context)
    const statuses = {}
    return {
      during: async seconds => {
        const result = await strangers.run('paced', {
          url,
          paths,
          headers: {},
          connections: 64,
          rate,
          warm: 0,
          seconds,
        })
        if (result.errors > 0) throw new Error(`${result.errors} requests of the counter failed`)
        for (const [one, count] of Object.entries(result.statuses)) statuses[one] = (statuses[one] ?? 0) + count
      },
      end: async () =>
        `counter: ${Object.entries(statuses)
          .map(([one, count]) => `${count.toLocaleString('en-US')} × ${one}`)
          .join(', ')}`,
    }
  }

/** Suspect visits are left out and counted in turn: each time the days of the year that have some are recalculated. */
export const suspectsSwitched = async ({ url, headers }) => {
  const bots = `${url}${api}/bots`
  let days = 0
  const background = inBackground(async ended => {
    for (let suspects = 'leave_out'; !ended(); suspects = suspects === 'count' ? 'leave_out' : 'count') {
      const { status, body } = await ask(bots, headers, JSON.stringify({ suspects }), 'PUT')
      if (status !== 200) throw new Error(`/bots answered ${status}: ${body}`)
      for (let left = 0; !ended(); await setTimeout(200)) {
        const before = left
        left = (await askJson(`${bots}?period=7d`, headers)).data.recalculating
        days += Math.max(0, before - left)
        if (left === 0) break
      }
    }
  })
  return {
    end: async () => {
      await background.end()
      if (days === 0) throw new Error('no day was recalculated')
      return `${days.toLocaleString('en-US')} days recalculated meanwhile`
    },
  }
}

/** Runs commands of the program beside the service, one after the other, until there is none or the rounds are over. */
const commandsBeside = (context, commandOf, told) => {
  let [done, child] = [0, null]
  const { over, end } = inBackground(async ended => {
    for (let args = commandOf(done); args !== null && !ended(); args = commandOf(done)) {
      const [file, ...rest] = pinned(context.cores?.service, [...context.program, ...args])
      child = spawn(file, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
      let stderr = ''
      child.stderr.setEncoding('utf8').on('data', text => {
        stderr += text
      })
      const [code, signal] = await once(child, 'close')
      if (ended()) return
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code ?? signal}: ${stderr}`)
      done += 1
    }
  })
  return {
    over,
    end: async () => {
      const ending = end()
      child?.kill('SIGTERM')
      await ending
      return told(done)
    },
  }
}

/** The history of another program comes in, of days before those of the file. */
export const historyImport = async ({ context, data, day }) => {
  const path = join(context.folder, 'history.csv')
  writeVisits(path, context.movingRows, daysBefore(day, 400))
  return commandsBeside(
    context,
    done => (done === 0 ? ['import', path, '--data', data] : null),
    () => `${context.movingRows.toLocaleString('en-US')} rows`,
  )
}

/** An access log comes in, of days before those of the file. */
export const logImport = async ({ context, data, day }) => {
  const path = join(context.folder, 'access.log')
  writeLog(path, context.movingRows, daysBefore(day, 400))
  return commandsBeside(
    context,
    done => (done === 0 ? ['import', path, '--format', 'access-log', '--merge', '--data', data] : null),
    () => `${context.movingRows.toLocaleString('en-US')} lines`,
  )
}

const pieceLength = 4 * 2 ** 20

/** The same history, sent to the service and imported by it, as the dashboard does. */
export const historySent = async ({ context, url, headers, day }) => {
  const path = join(context.folder, 'sent.csv')
  writeVisits(path, context.movingRows, daysBefore(day, 400))
  const content = readFileSync(path)
  const send = async (route, status, ...request) => {
    const answer = await ask(`${url}${api}${route}`, ...request)
    if (answer.status !== status) throw new Error(`${route} answered ${answer.status}: ${answer.body}`)
    return JSON.parse(answer.body)
  }
  const { id } = await send('/uploads', 201, headers, JSON.stringify({ name: 'sent.csv', bytes: content.length }))
  const typed = { ...headers, 'Content-Type': 'application/octet-stream' }
  for (let from = 0; from < content.length; from += pieceLength)
    await send(`/uploads/${id}?offset=${from}`, 200, typed, content.subarray(from, from + pieceLength), 'PUT')
  let job = await send('/imports', 202, headers, JSON.stringify({ uploads: [id] }))
  const { over, end } = inBackground(async ended => {
    for (; job.state === 'running' && !ended(); await setTimeout(200))
      job = await askJson(`${url}${api}/imports/current`, headers)
    if (job.state !== 'running' && job.state !== 'done') throw new Error(`the import is ${job.state}: ${job.problem}`)
  })
  return {
    over,
    end: async () => {
      await end()
      return `${context.movingRows.toLocaleString('en-US')} rows`
    },
  }
}

/** All days are written as Parquet, again and again. */
export const parquetExports = async ({ context, data }) =>
  commandsBeside(
    context,
    done => ['export', '--format', 'parquet', '--out', join(context.folder, `parquet-${done}`), '--data', data],
    done => `${done} whole exports`,
  )

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
