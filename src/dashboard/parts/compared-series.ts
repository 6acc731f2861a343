// The points of a period and of the one it is compared with, ready to be drawn.
import { createZone } from '../../lib/time.ts'
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

/** The place of each point: its day of the range, its hour on the clock, and how often the clock has shown that hour. */
const placesOf = (points: readonly Point[], zone: string): string[] => {
  const { hourOf } = createZone(zone)
  let [day, hour, repeated] = [0, -1, 0]
  return points.map(({ time }) => {
    const next = time === undefined ? -1 : hourOf(Date.parse(time) / 1000)
    if (next < hour) day += 1
    repeated = next === hour ? repeated + 1 : 0
    hour = next
    return `${day} ${next} ${repeated}`
  })
}

const dayOf = (place: string | undefined): number => Number(place?.split(' ')[0] ?? -1)

/**
 * The points of the other range, each in the place of one of the range; hours by the clock, which a day may lack or have
 * twice. Those of days that only the other one has follow.
 */
export const pairPoints = (series: readonly Point[], old: readonly Point[], zone: string): (Point | undefined)[] => {
  if (series[0]?.time === undefined || old[0]?.time === undefined) return [...old]
  const [places, oldPlaces] = [placesOf(series, zone), placesOf(old, zone)]
  const at = new Map(old.map((point, index) => [oldPlaces[index], point]))
  const lastDay = dayOf(places.at(-1))
  return [...places.map(place => at.get(place)), ...old.filter((_, index) => dayOf(oldPlaces[index]) > lastDay)]
}

/** Pairs the points of both periods; points in the future are empty. */
export const useComparedSeries = (series: readonly Point[], old: readonly Point[]): ComparedPoint[] => {
  const { today, live, interval, span, zone } = useApp()
  const now = live.meta.generated_at
  const paired = pairPoints(series, old, zone)
  return Array.from({ length: Math.max(series.length, paired.length) }, (_, index) => {
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
      before: paired[index],
      value: shown?.value ?? null,
      old: paired[index]?.value ?? null,
      unfinished,
      dashed: unfinished || shown?.partial === true,
    }
  })
}
