// A database of a year, made once by `footfall import` and kept in .bench/ for later runs; and the reports on it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../../build.mjs'
import { startGenerator } from './generator.mjs'
import { ask, authorize, startBare, startProduct } from './processes.mjs'
import { column, interleave } from './rounds.mjs'
import { complaint, paired } from './statistics.mjs'

const lines = fileURLToPath(new URL('year-lines.mjs', import.meta.url))
const kept = join(root, '.bench')
const seed = 1

/** Yesterday: no line may be later than the import. */
const lastDay = () => new Date(Date.now() - 24 * 3600 * 1000).toISOString().slice(0, 10)

/** Files made by another generator or for another schema are no use. */
const stamp = () => createHash('sha256').update(readFileSync(lines)).update(readFileSync(join(root, 'test/golden/schema.txt'))).digest('hex').slice(0, 8)

/** Imports days of visits into a new file; gives how long it took and how many lines it had. */
const importDays = async ({ program }, views, days, day, data) => {
  const maker = spawn(process.execPath, [lines, String(views), String(days), day, String(seed)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [file, ...args] = [...program, 'import', '-', '--format', 'requests', '--data', data]
  const importer = spawn(file, args, { stdio: [maker.stdout, 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  importer.stdout.setEncoding('utf8').on('data', text => { out += text })
  importer.stderr.setEncoding('utf8').on('data', text => { err += text })
  const [code] = await once(importer, 'close')
  if (code !== 0) throw new Error(`the import ended with ${code}: ${err}`)
  const rate = Number(out.match(/\(([\d,]+) lines a second\)/)?.[1]?.replaceAll(',', ''))
  const deriving = Number(out.match(/and ([\d.]+) to derive/)?.[1])
  return { rate, deriving }
}

/** A copy of the year's database for one trial; the kept one is never written to. */
const yearCopy = async (context, views) => {
  const day = lastDay()
  const name = `year-${views}-${stamp()}`
  mkdirSync(kept, { recursive: true })
  const found = readdirSync(kept).find(file => file.startsWith(name) && file.endsWith('.db'))
  const path = join(kept, found ?? `${name}-${day}.db`)
  if (found === undefined) {
    for (const old of readdirSync(kept)) if (old.startsWith(`year-${views}-`)) rmSync(join(kept, old))
    context.progress(`making a year of ${views.toLocaleString('en-US')} views; kept in .bench/ for the next time`)
    const making = join(kept, `making-${process.pid}.db`)
    await importDays(context, views, 365, day, making)
    renameSync(making, path)
  }
  const data = join(context.folder, 'year.db')
  copyFileSync(path, data)
  return { data, day: path.slice(-13, -3) }
}

/** As many visits a day as a site of 10 M views a year has. */
const importedDays = 4

/** Lines a second, into a new file. */
export const importRate = async context => {
  const rates = []
  for (let round = 0; round < context.rounds; round++) {
    context.progress(`round ${round + 1} of ${context.rounds}`)
    rates.push((await importDays(context, context.importViews, importedDays, lastDay(), join(context.folder, `import-${round}.db`))).rate)
  }
  return { rate: { value: rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)] } }
}

const daysBefore = (day, count) => new Date(Date.parse(day) - (count - 1) * 24 * 3600 * 1000).toISOString().slice(0, 10)

/** Every report over a range of the year, over one connection; the limit gives as many bytes from memory. */
export const yearReports = (names, days) => async context => {
  const { data, day } = await yearCopy(context, context.yearViews)
  const size = statSync(data).size
  const [generator, product, bare] = [startGenerator(context), await startProduct(context, data), await startBare(context)]
  const headers = authorize(context, data)
  const range = `from=${daysBefore(day, days)}&to=${day}`
  const measured = { bytes: { value: size / context.yearViews, note: `${context.yearViews.toLocaleString('en-US')} views, ${Math.round(size / 2 ** 20)} MiB` } }
  for (const name of names) {
    const path = `/analytics/v1/${name}${name.includes('?') ? '&' : '?'}${range}`
    const { status, body } = await ask(`${product.url}${path}`, headers)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
    const load = (url, paths) => generator.run('closed', { url, paths, headers, connections: 1, warm: context.warm / 4, seconds: context.seconds / 4 })
    const progress = text => context.progress(`/${name}, ${text}`)
    const results = await interleave({ ...context, progress }, () => load(product.url, [path]), () => load(bare.url, [`/bytes/${body.length}`]))
    const failed = complaint([...results.product, ...results.limit], 200)
    for (const key of ['p50', 'p99']) {
      measured[`${name} ${key}`] = { ...paired(column(results.product, key), column(results.limit, key)), ...failed !== null && { failed } }
    }
  }
  await product.stop()
  return measured
}
