import { createHash } from 'node:crypto'
import { type Header, olderVersion } from '../../archive/lines.ts'
import { isCode } from '../../database/errors.ts'
import type { Db } from '../../database/query.ts'
import type { TextLine } from '../../lib/split-lines.ts'
import { type Day, dateOf, dayText, type Zone } from '../../lib/time.ts'
import type { ShopStore } from '../../shop/store.ts'
import { maxDocument, tooLong } from '../source.ts'
import { findProgress, saveProgress } from '../state.ts'
import { beginDay, type DayImport } from './day.ts'
import { createGoalRows } from './goals.ts'
import { createIdMapping } from './ids.ts'
import { parseLine } from './parse.ts'
import { DayProblem } from './problem.ts'
import { createRows } from './rows.ts'

/** The result of an import by day. */
export type Summary = {
  lines: number
  imported: Day[]
  /** Imported before an interruption. */
  resumed: Day[]
  /** Skipped, as their raw rows were already in the database. */
  present: Day[]
  refused: Day[]
  /** Days whose raw rows were imported. */
  whole: Set<Day>
  /** Number of orders that were new, or newer than the stored ones. */
  orders: number
  /** Number of event values left out because they are beyond the limit. */
  leftOut: number
  /** Whether there was an error that belongs to no day, or to an unknown one. */
  damaged: boolean
  /** Identify the days of this import. */
  fingerprints: string[]
}

/** An archive that is being imported. */
export type ArchiveImport = {
  add: (text: TextLine) => void
  /** Must be called after the last line. */
  end: () => void
  /** Rolls the current day back. */
  undo: () => void
}

export type ArchiveOptions = {
  db: Db
  zone: Zone
  store: ShopStore
  replace: boolean
  summary: Summary
  report: (sentence: string) => void
}

const reasonOf = (error: unknown): string | null => {
  if (error instanceof DayProblem) return error.message
  return isCode(error, 'SQLITE_CONSTRAINT', 'SQLITE_MISMATCH')
    ? 'it repeats an id that the database has, or has an invalid value'
    : null
}

type CurrentDay = { day: Day; dayImport: DayImport | null }

/** Commits a day with its progress, and adds it to the summary. */
const commitDay = (db: Db, { day, wasPresent, orders, leftOut }: DayImport, first: string, summary: Summary): void => {
  const fingerprint = createHash('sha256').update(`${first}\n${day}`).digest('hex')
  const { lines, finished } = findProgress(db, fingerprint)
  const isOurs = !wasPresent() || (lines > 0 && !finished)
  if (!wasPresent()) saveProgress(db, fingerprint, summary.lines, false)
  db.exec('commit')
  const days = !wasPresent() ? summary.imported : isOurs ? summary.resumed : summary.present
  days.push(day)
  if (isOurs) summary.fingerprints.push(fingerprint)
  summary.orders += orders()
  summary.leftOut += leftOut()
}

/** @param first the archive's first line, unparsed */
export const openArchive = (
  { db, zone, store, replace, summary, report }: ArchiveOptions,
  header: Header,
  first: string,
): ArchiveImport => {
  const rows = createRows(db, createIdMapping(db, header))
  const goals = createGoalRows(db, header, rows)
  const isOlder = header.footfall_archive === olderVersion
  /** The current day; its import is null if the day is skipped. */
  let current: CurrentDay | null = null
  let last: Day | null = null

  const undo = (): void => {
    if (!db.inTransaction) return
    db.exec('rollback')
    rows.reset()
    store.reset()
  }

  const refuse = (day: Day, reason: string): void => {
    undo()
    summary.refused.push(day)
    report(`${dayText(day)} was not imported: ${reason}.`)
  }

  /** Runs a step of the current day; an error refuses the day. */
  const attempt = (day: Day, work: () => void): boolean => {
    try {
      work()
      return true
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === null) throw error
      refuse(day, `${reason} (line ${summary.lines})`)
      return false
    }
  }

  const begin = (day: Day): DayImport => {
    db.exec('begin immediate')
    return beginDay({ db, zone, rows, goals, store, first, isOlder, replace, whole: summary.whole }, day)
  }

  const enter = (day: Day): CurrentDay => {
    if (current?.day === day) return current
    if (current?.dayImport) refuse(current.day, 'its last line is missing')
    current = { day, dayImport: begin(day) }
    return current
  }

  const reject = (reason: string): void => {
    if (current?.dayImport) refuse(current.day, `line ${summary.lines} ${reason}`)
    else report(`Line ${summary.lines} ${reason}.`)
    if (current !== null) current.dayImport = null
    summary.damaged = true
  }

  return {
    undo,
    add: text => {
      if (text === null) return reject(`is ${tooLong(maxDocument)}`)
      const parsed = parseLine(text, isOlder)
      if (parsed === null) return reject('cannot be read')
      const entered = enter(parsed.day)
      const { dayImport } = entered
      if ('line' in parsed) {
        if (dayImport !== null && !attempt(parsed.day, () => dayImport.add(parsed.line, text))) entered.dayImport = null
        return
      }
      current = null
      last = parsed.day
      if (dayImport !== null && attempt(parsed.day, () => dayImport.close(parsed.closing)))
        commitDay(db, dayImport, first, summary)
    },
    end: () => {
      if (current?.dayImport) refuse(current.day, 'the archive ends within it')
      else if (header.to !== null && last !== dateOf(header.to))
        report(`The archive ends before ${header.to}, its last day.`)
      else return
      summary.damaged = true
    },
  }
}
