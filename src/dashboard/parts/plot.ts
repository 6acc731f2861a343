// The large chart on its canvas: a line for now, a dashed one for before, and dots for incomplete points.
import uPlot from 'uplot'
import type { Kind } from '../app/metrics.ts'
import type { ComparedPoint } from './compared-series.ts'

export type HoveredPoint = { index: number; left: number; right: boolean }

type Plot = {
  shown: readonly ComparedPoint[]
  kind: Kind
  height: number
  /** Labels of the x axis and of the y axis. */
  label: (index: number) => string
  scale: (value: number) => string
  point: (at: HoveredPoint | null) => void
  /** Called with where the points are, in pixels from the left, whenever the chart was drawn. */
  placed: (lefts: readonly number[]) => void
  /** What dragging over points does, from the first to the last of them; undefined where it does nothing. */
  choose: ((first: number, last: number) => void) | undefined
}

/** A chart that is drawn. `mark` points at one of its points, and selects all from another one to it. */
export type Drawn = { mark: (index: number, anchor: number) => void; remove: () => void }

/** The width of the y axis in pixels: that of its labels. uPlot asks again until it stays. */
const axisWidth: uPlot.Axis.Size = (chart, values, index, round) => {
  const { _size = 0, font, gap = 0 } = chart.axes[index] as uPlot.Axis & { _size?: number }
  if (round > 1) return _size
  chart.ctx.font = font?.[0] ?? ''
  return Math.ceil(
    Math.max(0, ...(values ?? []).map(text => chart.ctx.measureText(text).width)) / uPlot.pxRatio + gap + edge,
  )
}
/** Pixels left of the labels. */
const edge = 6
/** Where the points begin, in pixels. */
const leftOf = (chart: uPlot): number => chart.bbox.left / uPlot.pxRatio

const steps = (kind: Kind): number[] => {
  if (kind === 'seconds') return [1, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]
  if (kind !== 'count' && kind !== 'money') return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
  return Array.from({ length: 16 }, (_, power) => [1, 2, 5].map(factor => factor * 10 ** power)).flat()
}

/** A colour of the style sheet, resolved for the canvas. */
const colour = (parent: HTMLElement, name: string): string => {
  const probe = document.createElement('span')
  probe.style.color = `var(--${name})`
  parent.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const nothing = { left: 0, width: 0, top: 0, height: 0 }

const optionsOf = (node: HTMLElement, plot: Plot, width: () => number): uPlot.Options => {
  const { shown, kind, height, label, scale, point, placed, choose } = plot
  const single = shown.length === 1
  const dots = shown.flatMap(({ dashed }, index) => (dashed ? [index] : []))
  const paint = {
    now: colour(node, 'accent'),
    // Where the system chooses the colours, it would hide the line of the time before.
    fill: matchMedia('(forced-colors: active)').matches ? 'transparent' : colour(node, 'accent-faint'),
    before: colour(node, 'before'),
    line: colour(node, 'line'),
    ink: colour(node, 'faint'),
    card: colour(node, 'card'),
  }
  const axis = {
    stroke: paint.ink,
    grid: { stroke: paint.line, width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  }
  const line = (stroke: string) => ({ stroke, width: 2, points: { show: single, size: 8, fill: stroke } })
  return {
    width: width(),
    height,
    legend: { show: false },
    padding: [12, 28, 0, 0],
    cursor: { y: false, drag: { x: choose !== undefined, y: false, setScale: false }, points: { size: 7 } },
    scales: {
      x: { time: false, range: (_, low, high) => (single ? [-1, 1] : [low, high]) },
      y: { range: (_, __, high) => [0, high > 0 ? high * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        space: 72,
        incrs: [1, 2, 3, 4, 6, 7, 12, 14, 28, 56],
        values: (_, splits) => splits.map(at => (Number.isInteger(at) ? label(at) : '')),
      },
      { ...axis, size: axisWidth, space: 28, incrs: steps(kind), values: (_, splits) => splits.map(scale) },
    ],
    series: [
      {},
      { ...line(paint.before), width: 1.5, dash: [5, 5] },
      { ...line(paint.now), fill: paint.fill },
      {
        ...line(paint.now),
        dash: [2, 4],
        points: {
          show: (_, __, from) => from >= 0,
          filter: () => (dots.length === 0 ? null : dots),
          size: 7,
          fill: paint.card,
          stroke: paint.now,
        },
      },
    ],
    hooks: {
      draw: [chart => placed(shown.map((_, index) => Math.round(chart.valToPos(index, 'x') + leftOf(chart))))],
      setSelect: [
        chart => {
          const { left, width: chosen } = chart.select
          chart.setSelect(nothing, false)
          if (chosen > 0) choose?.(chart.posToIdx(left), chart.posToIdx(left + chosen))
        },
      ],
      setCursor: [
        chart => {
          const { idx, left } = chart.cursor
          point(
            idx === null || idx === undefined || left === undefined || left < 0
              ? null
              : { index: idx, left: left + leftOf(chart), right: left > width() / 2 },
          )
        },
      ],
    },
  }
}

/** Draws into an element, again whenever its width changes. */
export const draw = (node: HTMLElement, plot: Plot): Drawn => {
  const { shown, height } = plot
  const width = (): number => Math.max(200, node.clientWidth)
  const nearDashed = (index: number): boolean => [index - 1, index, index + 1].some(at => shown[at]?.dashed === true)
  const data = [
    shown.map((_, index) => index),
    shown.map(({ old }) => old),
    shown.map(({ value, dashed }) => (dashed ? null : value)),
    shown.map(({ value }, index) => (nearDashed(index) ? value : null)),
  ]
  const chart = new uPlot(optionsOf(node, plot, width), data as uPlot.AlignedData, node)
  const observer = new ResizeObserver(() => chart.setSize({ width: width(), height }))
  observer.observe(node)
  return {
    mark: (index, anchor) => {
      const [at, from] = [index, anchor].map(one => chart.valToPos(one, 'x'))
      if (at === undefined || from === undefined) return
      chart.setCursor({ left: at, top: 0 })
      chart.setSelect({ left: Math.min(at, from), width: Math.abs(at - from), top: 0, height }, false)
    },
    remove: () => {
      observer.disconnect()
      chart.destroy()
    },
  }
}
