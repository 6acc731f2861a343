// Points of two periods side by side, ready to be drawn.
import { useApp } from '../app/app-context.ts'

/** A point of a series: of an hour that begins at a time, or of days from a date on; `partial` where the range cuts its days. */
export type Point = { date?: string; time?: string; value: number | null; partial?: true | undefined }

export type ComparedPoint = {
  now: Point | undefined
  before: Point | undefined
  value: number | null
  old: number | null
  /** Its time runs still. */
  unfinished: boolean
  /** It has fewer days than others, or is not over: drawn dashed. */
  dashed: boolean
}

/** Nothing is shown where the future is. */
export const useComparedSeries = (series: readonly Point[], old: readonly Point[]): ComparedPoint[] => {
  const { today, live, interval, span } = useApp()
  const now = live.meta.generated_at
  return Array.from({ length: Math.max(series.length, old.length) }, (_, index) => {
    const point = series[index]
    const next = series[index + 1]
    const future = point?.time !== undefined && point.time > now
    const last =
      point !== undefined &&
      (point.time !== undefined
        ? point.time <= now && (next?.time === undefined || next.time > now)
        : next === undefined)
    const unfinished = last && span.to === today && (interval !== 'hour' || !future)
    const shown = future ? undefined : point
    return {
      now: shown,
      before: old[index],
      value: shown?.value ?? null,
      old: old[index]?.value ?? null,
      unfinished,
      dashed: unfinished || shown?.partial === true,
    }
  })
}
