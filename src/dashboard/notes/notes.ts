// Annotations of the shown days, numbered as their flags are.
import { useMemo, useRef } from 'preact/hooks'
import { createZone, parseDay } from '../../lib/time.ts'
import type { AnnotationAnswer } from '../../reports/of/annotations.ts'
import { useApp } from '../app/app-context.ts'
import { useReport } from '../app/use-report.ts'
import type { Point } from '../parts/compared-series.ts'

/** `when` is its day or moment in words, with its end if it has one. */
export type Note = AnnotationAnswer & { number: number; when: string }
/** `list` is null where the page may not show notes; `reload` follows a change. */
export type Notes = { list: readonly Note[] | null; reload: () => void }

const isDate = (text: string): boolean => !text.includes('T')

/** The notes of the shown days. */
export const useNotes = (): Notes => {
  const { f, span, zone, shared } = useApp()
  const shown = shared === null || shared.annotations
  const { from, to, from_hour } = span
  const { result, retry } = useReport<AnnotationAnswer[]>(shown ? '/annotations' : null, { from, to })
  // A reload begins with nothing: the list stays until the new one has come.
  const last = useRef<readonly AnnotationAnswer[]>([])
  if (result !== null) last.current = result.data
  const whenOf = ({ at, until }: AnnotationAnswer): string => {
    if (isDate(at)) return f.span({ from: at, to: until ?? at })
    return until === null ? f.moment(at, zone) : `${f.moment(at, zone)} – ${f.moment(until, zone)}`
  }
  /** Of the last 24 hours, what ended before their first. */
  const isOver = ({ at, until }: AnnotationAnswer): boolean => {
    if (from_hour === undefined || isDate(at)) return false
    return Date.parse(until ?? at) / 1000 < createZone(zone).secondAt(parseDay(from), from_hour * 3600)
  }
  const list = shown
    ? last.current
        .filter(note => !isOver(note))
        .map((note, index) => ({ ...note, number: index + 1, when: whenOf(note) }))
    : null
  return { list, reload: retry }
}

/** A note with its point on the chart. */
export type PlacedNote = { index: number; number: number; text: string }

/** Places notes at the points of a series: at the last that begins no later, else at the first. */
export const usePlacedNotes = (
  notes: readonly Note[],
  series: readonly Pick<Point, 'date' | 'time'>[],
): readonly PlacedNote[] => {
  const { zone: name } = useApp()
  const zone = useMemo(() => createZone(name), [name])
  const secondOf = (at: string): number => (isDate(at) ? zone.startOf(parseDay(at)) : Date.parse(at) / 1000)
  const starts = notes.length === 0 ? [] : series.map(({ time, date = '1970-01-01' }) => secondOf(time ?? date))
  return notes.map(({ at, number, text }) => {
    const second = secondOf(at)
    return {
      index: Math.max(
        0,
        starts.findLastIndex(start => start <= second),
      ),
      number,
      text,
    }
  })
}
