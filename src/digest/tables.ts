// The key figures and tables of a digest, with their changes.
import type { Content, Lengths, Row } from './content.ts'
import type { FigureKind, Format } from './format.ts'
import type { ChangeView, FigureView, TableView } from './shapes.ts'
import type { DigestTextKey, DigestTexts } from './texts.ts'
import { safe } from './view-text.ts'

type Measured = { now: number | null; before: number | null; change: number | null }
export type Word = Pick<DigestTexts, 't'> & { f: Format }

const none: ChangeView = { arrow: '', percent: '', words: '', verdict: 'none' }

const differenceOf = ({ t, f }: Word, kind: FigureKind, now: number, before: number, currency: string | null) => {
  const by = Math.abs(now - before)
  if (kind !== 'percent') return t(now > before ? 'more' : 'less', { n: f.write(kind, by, currency) })
  const points = Math.round(by * 10_000) / 100
  return t(now > before ? 'points_more' : 'points_less', { points, n: f.fine(points) })
}

const perDayOf = ({ t, f }: Word, kind: FigureKind, difference: number, currency: string | null): string =>
  t('per_day', {
    words: t(difference > 0 ? 'more' : 'less', {
      n: f.write(kind === 'count' ? 'fine' : kind, Math.abs(difference), currency),
    }),
  })

/** `lengths`: of ranges of which the figure is a sum; then those of a day are compared. */
type Manner = { lowerIsBetter?: boolean; currency?: string | null; lengths?: Lengths | null | undefined }

const changeOf = (
  word: Word,
  kind: FigureKind,
  { now: sum, before: sumBefore, change: whole }: Measured,
  { lowerIsBetter = false, currency = null, lengths = null }: Manner = {},
): ChangeView => {
  const { t, f } = word
  if (sum === null || sumBefore === null) return none
  const [days, other] = lengths ?? [1, 1]
  const [now, before] = [sum / days, sumBefore / other]
  const change = lengths === null || before === 0 ? whole : now / before - 1
  if (now === before) return { ...none, words: t('unchanged') }
  const up = now > before
  return {
    arrow: up ? '▲' : '▼',
    percent: change === null ? t('new') : f.percent(Math.abs(change)),
    words:
      lengths === null ? differenceOf(word, kind, now, before, currency) : perDayOf(word, kind, now - before, currency),
    verdict: up !== lowerIsBetter ? 'good' : 'bad',
  }
}

const figures = [
  { id: 'visitors', kind: 'count' },
  { id: 'sessions', kind: 'count' },
  { id: 'views', kind: 'count' },
  { id: 'views_per_session', kind: 'fine' },
  { id: 'bounce_rate', kind: 'percent', lowerIsBetter: true },
  { id: 'avg_session_duration', kind: 'seconds' },
] as const

export const figuresOf = (word: Word, { summary: { totals, previous, change }, compared }: Content): FigureView[] =>
  figures.map(({ id, kind, ...better }) => ({
    label: word.t(id),
    value: word.f.write(kind, totals[id]),
    change: changeOf(
      word,
      kind,
      {
        now: totals[id],
        before: compared === null ? null : (previous?.totals[id] ?? null),
        change: change?.[id] ?? null,
      },
      { ...better, lengths: kind === 'count' ? compared?.lengths : null },
    ),
  }))

export const tableOf = (
  word: Word,
  [title, column]: [DigestTextKey, DigestTextKey],
  rows: readonly Row[],
  { compared }: Content,
): TableView[] => {
  const longest = Math.max(1, ...rows.map(({ count }) => count))
  const list = rows.map(({ name, note, count, before, change }) => ({
    name: safe(name ?? word.t('unknown')),
    note: safe(note ?? ''),
    value: word.f.count(count),
    change: changeOf(word, 'count', { now: count, before, change }, { lengths: compared?.lengths }),
    part: count / longest,
  }))
  return list.length === 0 ? [] : [{ title: word.t(title), column: word.t(column), rows: list }]
}

export const goalsOf = (word: Word, { goals, compared }: Content): TableView[] => {
  const longest = Math.max(1, ...goals.map(({ sessions }) => sessions))
  const rows = goals.map(({ name, sessions, conversion_rate: rate, previous = null, change = null }) => ({
    name: safe(name),
    note: rate === null ? '' : word.t('conversion', { rate: word.f.percent(rate) }),
    value: word.f.count(sessions),
    change: changeOf(
      word,
      'count',
      { now: sessions, before: compared === null ? null : previous, change },
      { lengths: compared?.lengths },
    ),
    part: sessions / longest,
  }))
  return rows.length === 0 ? [] : [{ title: word.t('goals'), column: word.t('sessions'), rows }]
}

const amounts = [
  { id: 'orders', kind: 'count' },
  { id: 'net_revenue', kind: 'money' },
  { id: 'average_order_value', kind: 'money' },
  { id: 'refund_total', kind: 'money', lowerIsBetter: true },
] as const

export const revenueOf = (word: Word, { revenue, compared }: Content): TableView[] => {
  if (revenue === null) return []
  const { data, currency } = revenue
  const rows = amounts.map(({ id, kind, ...better }) => ({
    name: word.t(id),
    note: '',
    value: word.f.write(kind, data[id], currency),
    change: changeOf(
      word,
      kind,
      {
        now: data[id],
        before: compared === null ? null : (data.previous?.totals[id] ?? null),
        change: data.change?.[id] ?? null,
      },
      { ...better, currency, lengths: id === 'average_order_value' ? null : compared?.lengths },
    ),
    part: 0,
  }))
  return [{ title: word.t('revenue'), column: currency ?? '', rows }]
}
