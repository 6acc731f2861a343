import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup } from '../database/backup.ts'
import { dayText, type Day } from '../lib/time.ts'

const ours = /^footfall-\d{4}-\d\d-\d\d\.db$/

/**
 * Makes a day's backup in a folder, in the place of one of that day, and lets the oldest go; other files are left alone.
 * @returns how many backups are there
 */
export const rotateBackups = (data: string, folder: string, day: Day, keep: number): number => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  backup(data, join(folder, `footfall-${dayText(day)}.db`), true)
  const found = readdirSync(folder)
    .filter(name => ours.test(name))
    .sort()
    .reverse()
  for (const name of found.slice(keep)) rmSync(join(folder, name))
  return Math.min(found.length, keep)
}
