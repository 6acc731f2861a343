// Databases that take long to build: built once with `footfall import` and cached in .bench/.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bundle.mjs'

const folder = join(root, '.bench')

const dayLength = 24 * 3600 * 1000

/** Yesterday, because no line may be later than the import. */
export const lastDay = () => new Date(Date.now() - dayLength).toISOString().slice(0, 10)

/** The first of the `count` days that end with `day`. */
export const daysBefore = (day, count) => new Date(Date.parse(day) - (count - 1) * dayLength).toISOString().slice(0, 10)

/** Pipes the lines that a script writes into `footfall import`. Returns the output of the import. */
export const importLines = async ({ program }, script, args, format, data) => {
  const producer = spawn(process.execPath, [script, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [file, ...words] = [...program, 'import', '-', '--format', format, '--data', data]
  const importer = spawn(file, words, { stdio: [producer.stdout, 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  importer.stdout.setEncoding('utf8').on('data', text => {
    out += text
  })
  importer.stderr.setEncoding('utf8').on('data', text => {
    err += text
  })
  const [code] = await once(importer, 'close')
  if (code !== 0) throw new Error(`the import ended with ${code}: ${err}`)
  return out
}

/** Without this, a later run would delete old rows of the database that it measures. */
const keepForever = ({ program }, data) => {
  const [file, ...args] = [...program, 'settings', 'set', 'retention_mode=forever', '--data', data]
  const { status, stderr } = spawnSync(file, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`settings set failed: ${stderr}`)
}

/** Identifies the scripts and the schema: a database built from other versions is not reused. */
const fingerprint = scripts =>
  [...scripts, join(root, 'test/golden/schema.txt')]
    .reduce((hash, file) => hash.update(readFileSync(file)), createHash('sha256'))
    .digest('hex')
    .slice(0, 8)

const find = stamped =>
  existsSync(folder)
    ? readdirSync(folder).find(file => file.startsWith(`${stamped}-`) && file.endsWith('.db'))
    : undefined

/** Whether a database is in the cache. */
export const isCached = (name, scripts) => find(`${name}-${fingerprint(scripts)}`) !== undefined

/**
 * A copy of a cached database for one trial. The cached one is never written to.
 * @param name of the database, its size included
 * @param scripts that produce its lines
 * @param make fills a new file up to a day
 */
export const cachedCopy = async (context, { name, scripts, make }) => {
  const day = lastDay()
  const stamped = `${name}-${fingerprint(scripts)}`
  mkdirSync(folder, { recursive: true })
  const existing = find(stamped)
  const path = join(folder, existing ?? `${stamped}-${day}.db`)
  if (existing === undefined) {
    for (const old of readdirSync(folder)) if (old.startsWith(`${name}-`)) rmSync(join(folder, old))
    context.progress(`building ${name}; cached in .bench/ for the next run`)
    const partial = join(folder, `partial-${process.pid}.db`)
    process.on('exit', () => rmSync(partial, { force: true }))
    await make(partial, day)
    keepForever(context, partial)
    renameSync(partial, path)
  }
  const data = join(context.folder, `${name}.db`)
  copyFileSync(path, data, constants.COPYFILE_FICLONE)
  // Else the system writes it while commits of the trial wait for the disk.
  const copy = openSync(data, 'r+')
  fsyncSync(copy)
  closeSync(copy)
  return { data, day: path.slice(-13, -3) }
}
