import type { Meta } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { lengthOf } from '../app/days.ts'
import { clockIn } from '../app/format.ts'
import { type Kind, writeShort } from '../app/metrics.ts'
import type { Comparison } from '../overview/comparison.ts'
import { aDay, judgeChange, type Lengths, pointsBetween } from './judge-change.ts'

/** `lengths` of both ranges, if the figures are sums over them and they differ: then those of a day are compared. */
type Figures = {
  now: number | null | undefined
  before: number | null | undefined
  lengths?: Lengths | null | undefined
}

const fairly = ({ now, before, lengths }: Figures) =>
  typeof now === 'number' && typeof before === 'number' && lengths != null ? aDay({ now, before }, lengths) : null

/**
 * How a figure changed: an arrow, the percentage, and a colour for good or bad unless the comparison is `unfair`.
 * `change` is the fraction by which it did, null where there was nothing before.
 */
export const Change = ({
  change: whole,
  lowerIsBetter = false,
  unfair,
  ...sums
}: Figures & { change: number | null | undefined; lowerIsBetter?: boolean; unfair: boolean }) => {
  const { t, f } = useApp()
  const { change, ...figures } = fairly(sums) ?? { ...sums, change: whole }
  const judged = judgeChange(figures, { change, lowerIsBetter, unfair })
  if (judged === 'unknown') return null
  if (judged === 'unchanged')
    return (
      <span class="change" title={t('unchanged')}>
        {sums.now === 0 && sums.before === 0 ? '–' : f.percent(0)}
      </span>
    )
  if (judged === 'new') return <span class="change">{t('new')}</span>
  const { up, verdict } = judged
  return (
    <span class={`change ${verdict}`}>
      <span aria-hidden="true" class="arrow">
        {up ? '▲' : '▼'}
      </span>
      <span class="visually-hidden">{up ? t('up') : t('down')} </span>
      {f.percent(Math.abs(change ?? 0))}
    </span>
  )
}

/** The absolute change in words; those for none as well. */
export const Difference = ({ kind, currency = null, ...sums }: Figures & { kind: Kind; currency?: string | null }) => {
  const { t, f } = useApp()
  const fair = fairly(sums)
  const { now, before } = fair ?? sums
  if (now === null || before === null || now === undefined || before === undefined) return null
  if (now === before) return <span class="kpi-words">{t('unchanged')}</span>
  const points = pointsBetween(now, before)
  const words =
    kind === 'percent'
      ? t(now > before ? 'points_more' : 'points_less', { n: points, points: f.fine(points) })
      : t(now > before ? 'more' : 'less', {
          n: writeShort(f, fair !== null && kind === 'count' ? 'fine' : kind, Math.abs(now - before), currency),
        })
  return <span class="kpi-words">{fair === null ? words : t('per_day', { words })}</span>
}

/** Which days the figures are compared with; the last one up to the current time, where possible. */
export const ComparedWith = ({ comparison: { span: other, until, lengths } }: { comparison: Comparison }) => {
  const { t, f, span, today, zone } = useApp()
  const values = { span: f.span(other), time: until === null ? '' : f.clock(clockIn(zone, until)) }
  const how =
    span.to !== today
      ? 'compared_with'
      : until === null
        ? 'compared_whole'
        : lengthOf(other) === 1
          ? 'compared_until'
          : 'compared_so_far'
  return (
    <p class="note">
      {t(how, values)}
      {lengths !== null && ` ${t('compared_lengths', { days: lengthOf(span), other: lengthOf(other) })}`}
    </p>
  )
}

/** Why figures are not compared: the other range begins before the first whole day. */
export const NotCompared = ({ meta: { not_compared } }: { meta: Meta }) => {
  const { t, f } = useApp()
  return not_compared === undefined ? null : <p class="note">{t('not_compared', { day: f.day(not_compared) })}</p>
}
