import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { useApp } from './app-context.ts'
import type { Interval } from './periods.ts'
import { write, type Kind } from './metrics.ts'

/** A point of a series: of an hour that begins at a time, or of days from a date on. */
export type Point = { date?: string, time?: string, value: number | null }
type Shown = { now: Point | undefined, before: Point | undefined, value: number | null, old: number | null, unfinished: boolean }

/** Colours as the style sheet has them, for a canvas that cannot read it. */
const colour = (near: HTMLElement, name: string): string => {
  const probe = document.createElement('span')
  probe.style.color = `var(--${name})`
  near.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const useDark = (): boolean => {
  const { theme } = useApp()
  const [system, setSystem] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)')
    const change = (): void => setSystem(query.matches)
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [])
  return theme === 'system' ? system : theme === 'dark'
}

/** Points of both periods side by side; nothing is drawn where the future is. */
const useShown = (series: readonly Point[], old: readonly Point[]): Shown[] => {
  const { today, live, interval, span } = useApp()
  const now = live.meta.generated_at
  const length = Math.max(series.length, old.length)
  return Array.from({ length }, (_, index) => {
    const point = series[index]
    const future = point?.time !== undefined && point.time > now
    const next = series[index + 1]
    const last = point !== undefined && (point.time !== undefined ? point.time <= now && (next?.time === undefined || next.time > now) : next === undefined)
    const unfinished = last && span.to === today && (interval !== 'hour' || !future)
    return { now: future ? undefined : point, before: old[index], value: future ? null : (point?.value ?? null), old: old[index]?.value ?? null, unfinished }
  })
}

const Hint = ({
  shown,
  label,
  text,
  at,
}: {
  shown: Shown
  label: (point: Point | undefined) => string
  text: (value: number | null) => string
  at: { left: number, right: boolean }
}) => {
  const { t } = useApp()
  return (
    <div class={at.right ? 'hint right' : 'hint'} style={{ left: `${at.left}px` }} aria-hidden="true">
      {shown.now && (
        <p>
          <i class="key now" />
          {label(shown.now)}
          <b>{text(shown.value)}</b>
        </p>
      )}
      {shown.before && (
        <p>
          <i class="key before" />
          {label(shown.before)}
          <b>{text(shown.old)}</b>
        </p>
      )}
      {shown.unfinished && <p class="faint">{t('unfinished')}</p>}
    </div>
  )
}

type ChartProps = { series: readonly Point[], old: readonly Point[], name: string, kind: Kind, currency?: string | null, by?: Interval, height?: number }

/** One metric over time: this period, the one before it dashed, and the last point apart while it is not over. */
export const Chart = ({ series, old, name, kind, currency = null, by, height = 280 }: ChartProps) => {
  const { t, f, interval: chosen, zone, language } = useApp()
  const interval = by ?? chosen
  const shown = useShown(series, old)
  const dark = useDark()
  const around = useRef<HTMLDivElement>(null)
  const [hover, setHover] = useState<{ index: number, left: number, right: boolean } | null>(null)
  const text = (value: number | null): string => write(f, kind, value, currency)
  const whole = kind === 'count' || kind === 'money'
  const label = (point: Point | undefined, long = true): string => (point === undefined ? '' : f.point(point, interval, zone, long))
  const open = shown.findIndex(({ unfinished }) => unfinished)
  const key = JSON.stringify(shown.map(({ value, old: before }) => [value, before]))

  useEffect(() => {
    const node = around.current
    if (node === null) return undefined
    const xs = shown.map((_, index) => index)
    const values = shown.map(({ value }) => value)
    const closed = values.map((value, index) => (open >= 0 && index >= open ? null : value))
    const rest = values.map((value, index) => (open >= 0 && (index === open || index === open - 1) ? value : null))
    const paint = { now: colour(node, 'accent'), fill: colour(node, 'accent-faint'), before: colour(node, 'before'), line: colour(node, 'line'), ink: colour(node, 'faint') }
    const axis = { stroke: paint.ink, grid: { stroke: paint.line, width: 1 }, ticks: { show: false }, font: '12px system-ui, sans-serif' }
    const width = (): number => Math.max(200, node.clientWidth)
    const single = shown.length === 1
    const line = (stroke: string) => ({ stroke, width: 2, points: { show: single, size: 8, fill: stroke } })
    const plot = new uPlot(
      {
        width: width(),
        height,
        legend: { show: false },
        padding: [12, 8, 0, 0],
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
        scales: { x: { time: false, range: (_, low, high) => (single ? [-1, 1] : [low, high]) }, y: { range: (_, __, high) => [0, high > 0 ? high * 1.08 : 1] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 30,
            space: 72,
            incrs: [1, 2, 3, 4, 6, 7, 12, 14, 28, 56],
            values: (_, splits) => splits.map(at => (Number.isInteger(at) ? label(shown[at]?.now ?? series[at], false) : '')),
          },
          {
            ...axis,
            size: 58,
            space: 44,
            incrs: whole
              ? [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7]
              : kind === 'seconds'
                ? [1, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]
                : [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
            values: (_, splits) => splits.map(at => (whole ? f.short(at) : text(at))),
          },
        ],
        series: [
          {},
          { ...line(paint.before), width: 1.5, dash: [5, 5] },
          { ...line(paint.now), fill: paint.fill },
          {
            ...line(paint.now),
            dash: [2, 4],
            points: { show: (_, __, from) => from >= 0, filter: () => (open < 0 ? null : [open]), size: 7, fill: colour(node, 'card'), stroke: paint.now },
          },
        ],
        hooks: {
          setCursor: [
            ({ cursor: { idx, left } }) =>
              setHover(idx === null || idx === undefined || left === undefined || left < 0 ? null : { index: idx, left: left + 58, right: left > width() / 2 }),
          ],
        },
      },
      [xs, shown.map(({ old: before }) => before), closed, rest] as uPlot.AlignedData,
      node,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: width(), height }))
    observer.observe(node)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [key, kind, name, dark, language, interval, open])

  const hovered = hover === null ? undefined : shown[hover.index]
  return (
    <div class="chart">
      <div class="plot" ref={around} style={{ minHeight: `${height}px` }} role="img" aria-label={t('chart_of', { metric: name })}>
        {hovered && hover && <Hint shown={hovered} label={label} text={text} at={hover} />}
      </div>
      <details class="as-table">
        <summary>{t('as_table')}</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={t('chart_of', { metric: name })}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t(interval)}</th>
                <th scope="col">{name}</th>
                {old.length > 0 && <th scope="col">{t('before')}</th>}
              </tr>
            </thead>
            <tbody>
              {shown.map(
                ({ now, before, value, old: was, unfinished }, index) =>
                  (now || before) && (
                    <tr key={index}>
                      <th scope="row">
                        {label(now ?? series[index])}
                        {unfinished && <span class="faint"> ({t('unfinished')})</span>}
                      </th>
                      <td>{text(value)}</td>
                      {old.length > 0 && <td>{before === undefined ? '' : `${text(was)} (${label(before)})`}</td>}
                    </tr>
                  ),
              )}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  )
}
