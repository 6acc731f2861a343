import type { Day } from '../../lib/time.ts'

/** Where writers note what the rollups lack from now on. */
export type Note = {
  day: (day: Day) => void
  view: (id: number) => void
  event: (id: number) => void
  /** Rows have changed that cannot be named one by one. */
  whole: () => void
}
