import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app/app-context.ts'
import { type Kind, scaleOf, write } from '../app/metrics.ts'
import { type Interval, intervalsFor } from '../app/periods.ts'
import { Flags } from '../notes/flags.tsx'
import type { PlacedNote } from '../notes/notes.ts'
import { AsTable } from './as-table.tsx'
import { useChartKeys, useChoice } from './chart-choice.ts'
import { type ComparedPoint, type Point, useComparedSeries } from './compared-series.ts'
import { type Drawn, draw, type HoveredPoint } from './plot.ts'

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

/** A remark on an incomplete point. */
const useRemark = (): ((shown: ComparedPoint) => string) => {
  const { t } = useApp()
  return ({ unfinished, dashed }) => (unfinished ? t('unfinished') : dashed ? t('partial') : '')
}

type HintProps = {
  shown: ComparedPoint
  label: (point: Point | undefined) => string
  text: (value: number | null) => string
  at: HoveredPoint
  notes: readonly PlacedNote[]
  choosable: boolean
}

const Hint = ({ shown, label, text, at, notes, choosable }: HintProps) => {
  const { t } = useApp()
  const remark = useRemark()(shown)
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
      {remark !== '' && <p class="faint">{remark}</p>}
      {notes.map(note => (
        <p key={note.number} class="hint-note">
          {note.number}. {note.text}
        </p>
      ))}
      {choosable && <p class="faint">{t('drag_help')}</p>}
    </div>
  )
}

type ChartProps = {
  series: readonly Point[]
  old: readonly Point[]
  name: string
  kind: Kind
  currency?: string | null
  by?: Interval | undefined
  height?: number
  notes?: readonly PlacedNote[]
  /** Called with the point under the pointer, or none. */
  onPoint?: (point: Point | undefined) => void
  /** Whether one can choose days by dragging over them, or by the keyboard. */
  choosable?: true
  /** Shown below the chart. */
  children?: ComponentChildren
}

const textsOf = (notes: readonly PlacedNote[]): string =>
  notes.map(({ number, text }) => `${number}. ${text}`).join('; ')

const noNotes: readonly PlacedNote[] = []

/** A metric over time: this period, the period before as a dashed line, and incomplete points dashed. */
export const Chart = (props: ChartProps) => {
  const { series, old, name, kind, currency = null, by, height = 280, choosable, notes = noNotes, children } = props
  const { t, f, interval: chosen, zone, language } = useApp()
  const interval = by ?? chosen
  const shown = useComparedSeries(series, old)
  const dark = useDark()
  const remark = useRemark()
  const around = useRef<HTMLDivElement>(null)
  const drawn = useRef<Drawn | null>(null)
  const [hover, setHover] = useState<HoveredPoint | null>(null)
  const [lefts, setLefts] = useState<readonly number[]>([])
  const text = (value: number | null): string => write(f, kind, value, currency)
  const label = (point: Point | undefined, long = true): string =>
    point === undefined ? '' : f.point(point, interval, zone, long)
  const choose = useChoice(series)
  const position = useRef<number | null>(null)
  const keys = useChartKeys({ count: series.length, drawn, position, choose })
  const key = JSON.stringify(shown.map(({ value, old: before, dashed }) => [value, before, dashed]))

  useEffect(() => {
    if (around.current === null) return undefined
    position.current = null
    drawn.current = draw(around.current, {
      shown,
      kind,
      height,
      label: index => label(shown[index]?.now ?? series[index], false),
      scale: scaleOf(f, kind, currency),
      point: at => {
        position.current = at?.index ?? null
        setHover(at)
        props.onPoint?.(at === null ? undefined : (shown[at.index]?.now ?? series[at.index]))
      },
      placed: next => setLefts(before => (before.join() === next.join() ? before : next)),
      choose: choosable && choose,
    })
    return drawn.current.remove
  }, [key, kind, currency, name, dark, language, interval])

  const notesAt = (index: number): PlacedNote[] => notes.filter(note => note.index === index)
  const hovered = hover === null ? undefined : shown[hover.index]
  return (
    <div class="chart">
      <div class={notes.length > 0 ? 'flagged' : undefined}>
        <Flags notes={notes} lefts={lefts} />
        <div
          class={dark ? 'plot dark' : 'plot'}
          ref={around}
          style={{ minHeight: `${height}px` }}
          role="img"
          aria-label={t('chart_of', { metric: name })}
          {...(choosable && { ...keys, role: 'application', 'aria-description': t('chart_keys') })}
        >
          {hovered && hover && (
            <Hint
              shown={hovered}
              label={label}
              text={text}
              at={hover}
              notes={notesAt(hover.index)}
              choosable={choosable === true}
            />
          )}
          {choosable && hovered && (
            <p class="visually-hidden" aria-live="polite">
              {label(hovered.now)} {text(hovered.value)}
            </p>
          )}
        </div>
      </div>
      <div class="chart-foot">
        <AsTable
          label={t('chart_of', { metric: name })}
          head={[
            t(interval),
            name,
            ...(old.length > 0 ? [t('before')] : []),
            ...(notes.length > 0 ? [t('notes')] : []),
          ]}
          rows={shown.flatMap((point, index) => {
            const { now, before, value, old: previous } = point
            if (now === undefined && before === undefined) return []
            const title = [label(now ?? series[index]), remark(point) === '' ? '' : `(${remark(point)})`].join(' ')
            return [
              [
                title,
                text(value),
                ...(old.length > 0 ? [before === undefined ? '' : `${text(previous)} (${label(before)})`] : []),
                ...(notes.length > 0 ? [textsOf(notesAt(index))] : []),
              ],
            ]
          })}
        />
        {children}
      </div>
    </div>
  )
}

/** Chooses the interval of the chart's points. */
export const IntervalChoice = () => {
  const { t, go, span, interval } = useApp()
  const possible = intervalsFor(span)
  if (possible.length < 2) return null
  return (
    <label class="interval">
      <span class="faint">{t('interval')}</span>
      <select
        value={interval}
        onChange={event => go({ interval: possible.find(one => one === event.currentTarget.value) ?? null }, true)}
      >
        {possible.map(one => (
          <option key={one} value={one}>
            {t(one)}
          </option>
        ))}
      </select>
    </label>
  )
}
