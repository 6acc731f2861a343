// Reads the files of a history into the stage.
import { ExpectedError } from '../../lib/errors.ts'
import { historyTitles } from '../../lib/histories.ts'
import type { Day } from '../../lib/time.ts'
import type { Context } from './context.ts'
import type { Format, Table } from './format.ts'
import type { InputFile } from './input.ts'
import { isHeader, itemsOf } from './reader.ts'
import { namesOf, tableOf } from './recognize.ts'
import { checkDay, type Header, type Row, RowProblem } from './row.ts'
import { createSink, type Sink } from './sink.ts'

/** Why days of the files are not imported. */
export const skipReasons = ['own_data', 'not_over', 'later_than_visits', 'without_totals'] as const
export type SkipReason = (typeof skipReasons)[number]

export type DayRules = {
  from: Day | null
  to: Day | null
  today: Day
  /** Days that have anything already. */
  own: ReadonlySet<Day>
  /** Of sums: the first day with single visits of its own, after which no sums can be. */
  firstVisits: Day | null
}

/** Decides which days are taken, and notes which are skipped. */
export const createDayFilter = ({ from, to, today, own, firstVisits }: DayRules) => {
  const skipped = new Map<Day, SkipReason>()
  const reasonOf = (day: Day): SkipReason | null => {
    if (day >= today) return 'not_over'
    if (own.has(day)) return 'own_data'
    return firstVisits !== null && day > firstVisits ? 'later_than_visits' : null
  }
  return {
    skipped,
    /** @param later when to note that a day is skipped */
    takes: (day: Day, later: (work: () => void) => void = work => work()): boolean => {
      checkDay(day, today)
      if ((from !== null && day < from) || (to !== null && day > to)) return false
      const reason = reasonOf(day)
      if (reason !== null) later(() => skipped.set(day, reason))
      return reason === null
    },
  }
}

export type Recognised = { file: string; table: string; columns: string[]; rows: number; passedOver: string[] }

type ReadOptions = {
  format: Format
  files: readonly InputFile[]
  context: Context
  /** The site of the file that is imported. */
  site: string | null
  progress: (bytes: number, rows: number) => void
  stopped: () => boolean
}

/** Under the names of the format. */
const renamed = (row: Row, names: ReadonlyMap<string, string>): Row => ({
  ...row,
  get: column => row.get(names.get(column) ?? column),
  raw: column => row.raw(names.get(column) ?? column),
})

const createRowReader = (
  { format, context, site }: ReadOptions,
  { sink, keep, drop }: ReturnType<typeof createSink>,
  sites: Map<string, number>,
) => {
  const { stage, tally } = context
  const isOther = (row: Row): boolean => {
    const id = format.site === undefined ? '' : row.get(format.site)
    if (id !== '') sites.set(id, (sites.get(id) ?? 0) + 1)
    return site !== null && id !== '' && id !== site
  }
  return (table: Table, row: Row): void => {
    if (row.problem !== null) throw new RowProblem(row.problem)
    if (isOther(row)) return
    drop()
    table.read(row, sink)
    // Of two rows, the first that could be read counts.
    if (table.once !== undefined && !stage.isFirst(table.name, ...table.once.map(row.get))) {
      if (format.grain === 'sums')
        throw new RowProblem(`the same ${table.once.join(' and ')} came before in ${table.name}`)
      tally.counts.repeated += 1
      return
    }
    keep()
    tally.counts.rows += 1
  }
}

/** Reads a file; its tables in order. */
const readFile = async (
  file: InputFile,
  options: ReadOptions,
  sink: Sink,
  read: ReturnType<typeof createRowReader>,
) => {
  const { format, context, stopped } = options
  const found: Recognised[] = []
  let table: Table | null = null
  let names: ReadonlyMap<string, string> = new Map()
  let current: Recognised | null = null
  const begin = (header: Header): void => {
    table = tableOf(format, header)
    const ours = namesOf(format, header)
    names = new Map(ours.map((name, index) => [name, header.columns[index] ?? name]))
    sink.preamble = header.preamble
    current = {
      file: file.name,
      table: table?.name ?? '',
      columns: [...(table?.key ?? [])],
      rows: 0,
      passedOver: ours.filter(name => table !== null && ![...table.key, ...(table.needs ?? [])].includes(name)),
    }
    found.push(current)
  }
  const take = (row: Row): void => {
    if (table === null || current === null) return
    try {
      current.rows += 1
      read(table, names.size === 0 ? row : renamed(row, names))
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error
      context.tally.refuse(error.message, file.name, row.line)
    }
  }
  let bytes = 0
  for await (const item of itemsOf(file, read => (bytes += read.length))) {
    if (isHeader(item)) begin(item)
    else take(item)
    if (context.tally.counts.rows % 5000 === 0) options.progress(bytes, context.tally.counts.rows)
    if (stopped()) break
  }
  return { found, bytes }
}

const checkSites = ({ format, site }: ReadOptions, sites: ReadonlyMap<string, number>): void => {
  const list = [...sites].map(([id, rows]) => `\n  ${id}: ${rows.toLocaleString('en')} rows`).slice(0, 15)
  if (site !== null && sites.size > 0 && !sites.has(site))
    throw new ExpectedError(`The files have no ${format.site ?? 'site'} ${site}. They have:${list.join('')}`)
  if (site === null && sites.size > 1)
    throw new ExpectedError(
      `The files have several sites. Choose one with --site:${list.join('')}\nNothing was imported.`,
    )
}

/** @throws ExpectedError if the files cannot be imported */
export const readHistory = async (options: ReadOptions): Promise<Recognised[]> => {
  const { format, files, context, progress } = options
  const staged = createSink(context)
  const { sink } = staged
  const sites = new Map<string, number>()
  const read = createRowReader(options, staged, sites)
  const recognised: Recognised[] = []
  let done = 0
  for (const file of files) {
    const { found, bytes } = await readFile(
      file,
      { ...options, progress: (bytes, rows) => progress(done + bytes, rows) },
      sink,
      read,
    )
    done += bytes
    recognised.push(...found)
  }
  checkSites(options, sites)
  const tables = new Set(recognised.map(({ table }) => table))
  if (!format.totals.some(name => tables.has(name)))
    throw new ExpectedError(
      `The files of ${historyTitles[format.name]} have no table ${format.totals.join(' or ')}, without which no day can be imported.` +
        ` They have ${[...tables].filter(name => name !== '').join(', ')}. Nothing was imported.` +
        (format.advice === undefined ? '' : `\n${format.advice}`),
    )
  return recognised
}
