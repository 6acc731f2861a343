// What a format of another analytics program is made of.
import type { Grain, HistoryFormat, Lack } from '../../lib/histories.ts'
import type { Row } from './row.ts'
import type { Sink } from './sink.ts'

/** A table of a format. Columns are named in lower case. */
export type Table = {
  name: string
  /** It is recognised by these columns. */
  key: readonly string[]
  /** It has none of these, which are those of other tables. */
  without?: readonly string[]
  /** It has no columns but these: any other would divide its rows. */
  only?: readonly string[]
  /** Without these it cannot be read. */
  needs?: readonly string[]
  /** What distinguishes its rows: of two with the same values one counts. */
  once?: readonly string[]
  read: (row: Row, to: Sink) => void
}

export type Format = {
  name: HistoryFormat
  grain: Grain
  /** In the order in which they must be read. */
  tables: readonly Table[]
  /** The tables without which there is nothing to import: one of them is needed. */
  totals: readonly string[]
  lacks: readonly Lack[]
  /** Our name of a column: formats may be translated. */
  column?: (name: string) => string
  /** How the missing part is exported. */
  advice?: string
  /** The zone of times without an offset, unless --source-timezone is given; else that of the database. */
  zone?: string
  /** The column that distinguishes several sites in one file. */
  site?: string
  /** What is wrong with a file that has none of the tables; null if nothing is known. */
  explain?: (columns: readonly string[]) => string | null
  /** Whether a visit ends after 30 minutes without activity, because the source's visits have no end. */
  cut?: boolean
  /** Sentences about how figures come about. */
  remarks?: readonly string[]
}
