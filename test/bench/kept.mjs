// Databases that take long to make: made once by `footfall import` and kept in .bench/ for later runs.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../build.mjs'

const folder = join(root, '.bench')

const dayLength = 24 * 3600 * 1000

/** Yesterday: no line may be later than the import. */
export const lastDay = () => new Date(Date.now() - dayLength).toISOString().slice(0, 10)

/** The first of `count` days that end with this one. */
export const daysBefore = (day, count) => new Date(Date.parse(day) - (count - 1) * dayLength).toISOString().slice(0, 10)

/** Runs a script that writes lines, and `footfall import` on them; gives what that says at its end. */
export const importLines = async ({ program }, script, args, format, data) => {
  const maker = spawn(process.execPath, [script, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [file, ...words] = [...program, 'import', '-', '--format', format, '--data', data]
  const importer = spawn(file, words, { stdio: [maker.stdout, 'pipe', 'pipe'] })
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

/** So that no hour of a later day begins to delete what is to be measured. */
const keepForever = ({ program }, data) => {
  const [file, ...args] = [...program, 'settings', 'set', 'retention_mode=forever', '--data', data]
  const { status, stderr } = spawnSync(file, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`settings set failed: ${stderr}`)
}

/** Files made by other scripts or for another schema are no use. */
const stamp = scripts =>
  [...scripts, join(root, 'test/golden/schema.txt')]
    .reduce((hash, file) => hash.update(readFileSync(file)), createHash('sha256'))
    .digest('hex')
    .slice(0, 8)

const find = stamped =>
  existsSync(folder)
    ? readdirSync(folder).find(file => file.startsWith(`${stamped}-`) && file.endsWith('.db'))
    : undefined

/** Whether a database need not be made again. */
export const isKept = (name, scripts) => find(`${name}-${stamp(scripts)}`) !== undefined

/**
 * A copy of a kept database for one trial; the kept one is never written to.
 * @param name of the database, its size included
 * @param scripts what makes its lines
 * @param make fills a new file up to a day
 */
export const keptCopy = async (context, { name, scripts, make }) => {
  const day = lastDay()
  const stamped = `${name}-${stamp(scripts)}`
  mkdirSync(folder, { recursive: true })
  const found = find(stamped)
  const path = join(folder, found ?? `${stamped}-${day}.db`)
  if (found === undefined) {
    for (const old of readdirSync(folder)) if (old.startsWith(`${name}-`)) rmSync(join(folder, old))
    context.progress(`making ${name}; kept in .bench/ for the next time`)
    const making = join(folder, `making-${process.pid}.db`)
    process.on('exit', () => rmSync(making, { force: true }))
    await make(making, day)
    keepForever(context, making)
    renameSync(making, path)
  }
  const data = join(context.folder, `${name}.db`)
  copyFileSync(path, data, constants.COPYFILE_FICLONE)
  return { data, day: path.slice(-13, -3) }
}
