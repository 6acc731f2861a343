// What the program weighs: on disk, at its start, in memory, and in what it leaves behind.
import { mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startGenerator } from './generator.mjs'
import { ask, authorize, memoryOf, startBare, startProduct } from './processes.mjs'
import { column, interleave } from './rounds.mjs'
import { hitPath, lastDays, sendViews } from './seed.mjs'
import { failureOf, paired } from './statistics.mjs'
import { yearCopy } from './year.mjs'

const mebibyte = 2 ** 20

/** Next to the Node that it is made of. */
export const size = ({ program }) => {
  const value = statSync(program.at(-1)).size / mebibyte
  const limit = statSync(realpathSync(process.execPath)).size / mebibyte
  return { size: { value, limit, ratio: value / limit } }
}

const startTime = async (start, path) => {
  const from = performance.now()
  const server = await start()
  const { status } = await ask(`${server.url}${path}`)
  const time = performance.now() - from
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  await server.stop()
  return { time }
}

/**
 * From the start of the process to the first 200, on a file that is made anew, on one with views in it and on the
 * year's.
 */
export const start = async context => {
  const used = join(context.folder, 'used.db')
  const generator = startGenerator(context)
  const filler = await startProduct(context, used)
  await sendViews(generator, filler.url, context.views)
  await filler.stop()
  generator.stop()
  let made = 0
  const compare = async (name, dataOf) => {
    const product = () => startTime(() => startProduct(context, dataOf()), '/healthz')
    const bare = () => startTime(() => startBare(context), '/bytes/2')
    const progress = text => context.progress(`${name} file, ${text}`)
    const results = await interleave({ progress, rounds: context.starts }, product, bare)
    return paired(column(results.product, 'time'), column(results.limit, 'time'))
  }
  const { data: year } = await yearCopy(context)
  return {
    fresh: await compare('fresh', () => join(context.folder, `fresh-${made++}.db`)),
    used: await compare('used', () => used),
    year: { ...(await compare('year', () => year)), amount: context.yearViews },
  }
}

const settled = 2000

const loadFully = async (context, generator, server, path) =>
  generator.run('closed', { url: server.url, path, connections: 64, warm: 0, seconds: context.seconds * 2 })

/** Resident memory: 2 s after the start, after full load and reports, and the most there was. */
export const memory = async context => {
  const data = join(context.folder, 'memory.db')
  const [generator, product, bare] = [
    startGenerator(context),
    await startProduct(context, data),
    await startBare(context),
  ]
  await setTimeout(settled)
  const look = key => ({ value: memoryOf(product.pid, key), limit: memoryOf(bare.pid, key) })
  const idle = look('VmRSS')
  const results = [
    await loadFully(context, generator, bare, '/'),
    await loadFully(context, generator, product, hitPath),
  ]
  await ask(`${product.url}/analytics/v1/pages?${lastDays(365)}`, authorize(context, data))
  const [loaded, peak] = [look('VmRSS'), look('VmHWM')]
  await product.stop()
  const failed = failureOf(results, 204)
  const finish = figure => ({ ...figure, ratio: figure.value / figure.limit, ...(failed !== null && { failed }) })
  return { idle: finish(idle), loaded: finish(loaded), peak: finish(peak) }
}

const filesIn = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name))

/** Files that are there after a start, a report and a stop, other than the database. */
export const leftoverFiles = async context => {
  const folders = Object.fromEntries(
    ['home', 'temporary', 'cache', 'runtime', 'data', 'working'].map(name => [name, join(context.folder, name)]),
  )
  for (const folder of Object.values(folders)) mkdirSync(folder)
  const data = join(folders.data, 'footfall.db')
  const env = {
    HOME: folders.home,
    TMPDIR: folders.temporary,
    XDG_CACHE_HOME: folders.cache,
    XDG_RUNTIME_DIR: folders.runtime,
  }
  const product = await startProduct(context, data, { env, cwd: folders.working })
  await ask(`${product.url}/analytics/v1/summary?${lastDays(1)}`, authorize(context, data))
  await product.stop()
  const left = filesIn(context.folder)
    .filter(file => file !== data)
    .map(file => file.slice(context.folder.length + 1))
  return { files: { value: left.length, note: left.length === 0 ? undefined : left.join(', ') } }
}
