// The points of a period and of the one it is compared with, ready to be drawn.
import { useApp } from '../app/app-context.ts'

/** A point of a series: an hour with its `time`, or days with their first `date`; `partial` where the range cuts it. */
export type Point = { date?: string; time?: string; value: number | null; partial?: true | undefined }

export type ComparedPoint = {
  now: Point | undefined
  before: Point | undefined
  value: number | null
  old: number | null
  /** Its period has not ended yet. */
  unfinished: boolean
  /** It has not ended yet, or has fewer days than the others: drawn dashed. */
  dashed: boolean
}

/** Pairs the points of both periods; points in the future are empty. */
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
