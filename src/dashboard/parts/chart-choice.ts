// Choosing days in a chart: by dragging over its points, or with the arrow keys, Shift and Enter.
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import { addDays } from '../app/days.ts'
import type { Point } from './compared-series.ts'
import type { Drawn } from './plot.ts'

/** The day of a point in the time zone of the site. */
const dayOf = ({ date, time }: Point, timeZone: string): string =>
  time === undefined ? (date ?? '') : new Intl.DateTimeFormat('sv', { timeZone }).format(new Date(time))

/** Shows the days of the points from one to another. */
export const useChoice = (series: readonly Point[]): ((first: number, last: number) => void) => {
  const { go, span, zone } = useApp()
  return (first, last) => {
    const [begin, end, next] = [series[first], series[last], series[last + 1]]
    if (begin === undefined || end === undefined) return
    const from = dayOf(begin, zone)
    const until = next === undefined ? span.to : addDays(dayOf(next, zone), -1)
    // A day of hours ends with the next hour that is of another day.
    const to = end.time === undefined ? until : dayOf(end, zone)
    go({ from: from < span.from ? span.from : from, to, period: null, interval: null })
  }
}

type Keys = {
  count: number
  drawn: RefObject<Drawn | null>
  /** The point that is pointed at; keys may come faster than the page is drawn. */
  position: { current: number | null }
  choose: (first: number, last: number) => void
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }

/** Attributes that let the keyboard move over the points, select some with Shift, and show them with Enter. */
export const useChartKeys = ({ count, drawn, position, choose }: Keys) => {
  const anchor = useRef(0)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    const at = position.current ?? count - 1
    if (event.key === 'Enter' && position.current !== null)
      choose(Math.min(anchor.current, at), Math.max(anchor.current, at))
    else if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    else {
      const index = position.current === null ? at : Math.min(count - 1, Math.max(0, at + step))
      if (!event.shiftKey) anchor.current = index
      position.current = index
      drawn.current?.mark(index, anchor.current)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return { tabIndex: 0, onKeyDown }
}
