// The visitors of a digest's days: a line of block characters, and a drawing without texts of its own.

import { escapeHtml } from '../lib/escape-html.ts'
import { parseDay } from '../lib/time.ts'
import type { Content } from './content.ts'
import type { Format } from './format.ts'
import type { DigestTexts } from './texts.ts'

export type ChartView = {
  title: string
  values: number[]
  /** Of the days compared with, each in the place of a day; null without them. */
  before: number[] | null
  /** The first and the last day or hour. */
  ends: [string, string]
  sparkline: string
  /** Where most and fewest visitors were. */
  extremes: string
  /** What bars and line are; empty without the line. */
  legend: string
}

const blocks = [...'▁▂▃▄▅▆▇█']

/** A block for each value, by its share of the highest, of these or of others beside them. */
export const sparklineOf = (values: readonly number[], most = 1): string => {
  const highest = Math.max(1, most, ...values)
  return values.map(value => blocks[Math.min(7, Math.floor((value / highest) * 8))]).join('')
}

type Point = NonNullable<Content['series']>[number]

/** The point with the highest or lowest figure; the first of several. */
const extreme = (points: readonly Point[], isBetter: (a: number, b: number) => boolean): Point | undefined =>
  points.reduce<Point | undefined>(
    (best, point) => (best === undefined || isBetter(point.visitors, best.visitors) ? point : best),
    undefined,
  )

export const chartOf = (
  { series, summary, compared, firstDay }: Content,
  { t }: DigestTexts,
  f: Format,
): ChartView | null => {
  // Of days before the first one nothing is known, which is not nobody.
  const points = (series ?? []).filter(point => !('date' in point) || parseDay(point.date) >= (firstDay ?? 0))
  const most = extreme(points, (a, b) => a > b)
  const least = extreme(points, (a, b) => a < b)
  const last = points.at(-1)
  const [first] = points
  if (most === undefined || least === undefined || first === undefined || last === undefined) return null
  if (points.length < 2 || most.visitors === 0) return null
  const byHour = 'time' in first
  const nameOf = (point: Point, brief: boolean): string =>
    'time' in point ? f.clock(point.time) : brief ? f.brief(parseDay(point.date)) : f.weekday(parseDay(point.date))
  const before =
    byHour || compared === null ? null : (summary.previous?.series?.map(({ visitors }) => visitors) ?? null)
  const values = points.map(({ visitors }) => visitors)
  const figures = {
    most_at: nameOf(most, false),
    most: f.count(most.visitors),
    least_at: nameOf(least, false),
    least: f.count(least.visitors),
  }
  return {
    title: t(byHour ? 'by_hour' : 'by_day'),
    values,
    before,
    ends: [nameOf(first, true), nameOf(last, true)],
    sparkline: sparklineOf(values),
    extremes: t(byHour ? 'extremes_hour' : 'extremes', figures),
    legend: before === null ? '' : t('legend'),
  }
}

const [width, height] = [600, 120]

const rounded = (value: number): number => Math.round(value * 100) / 100

/** Bars, and a line of the days compared with, for HTML. Mail programs that show no drawing have the text below it. */
export const drawChart = ({ values, before, title }: ChartView): string => {
  const highest = Math.max(1, ...values, ...(before ?? []))
  const step = width / values.length
  const gap = Math.min(8, step / 4)
  const tall = (value: number): number => (value / highest) * (height - 4)
  const bars = values.map((value, index) => {
    const bar = value === 0 ? 1 : Math.max(2, tall(value))
    const place = `x="${rounded(index * step + gap / 2)}" y="${rounded(height - bar)}"`
    return `<rect class="bar" fill="#7d9de6" ${place} width="${rounded(step - gap)}" height="${rounded(bar)}" rx="2"/>`
  })
  const points = (before ?? [])
    .slice(0, values.length)
    .map((value, index) => `${rounded((index + 0.5) * step)},${rounded(height - Math.max(1, tall(value)))}`)
  const line =
    points.length < 2
      ? ''
      : `<polyline class="line" fill="none" stroke="#1a1d21" stroke-width="2.5" stroke-linejoin="round" stroke-dasharray="6 4" points="${points.join(' ')}"/>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="100%" role="img" ` +
    `aria-label="${escapeHtml(title)}" style="display:block;width:100%;height:auto">${bars.join('')}${line}</svg>`
  )
}
