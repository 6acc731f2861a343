// Reports that no question asks, as answers with their figures: hours, weekdays, screens, regions, goals, paths.
import { ApiError } from '../../http/errors.ts'
import { message } from '../../lib/texts.ts'
import { bindParameters } from '../../reports/pool.ts'
import { firstDayQuery } from '../../rollup/whole.ts'
import { type Batch, beginning, type Envelope } from '../answers.ts'
import { figureText } from '../figures.ts'
import type { Filters } from '../filters.ts'
import { textsOf } from '../language.ts'
import { createReportRunner, type ReportReader, type Source } from '../report-runner.ts'
import { askTexts } from './texts.ts'

type Row = { name: string; sessions: number; share: number | null }
type Found = { rows: readonly Row[]; source: Source }
/** `page`, `goal` and `funnel` are taken from the filters, if they name one. */
type Ask = {
  reader: ReportReader
  page: string | undefined
  goal: string | undefined
  funnel: string | undefined
}

const ofDimension =
  (type: 'hour' | 'weekday' | 'screen' | 'region') =>
  async ({ reader }: Ask): Promise<Found> => {
    const { data, source } = await reader.all('dimensions', {}, { type })
    return { rows: data.map(({ name, sessions, share }) => ({ name: name ?? '–', sessions, share })), source }
  }

const goals = async ({ reader, goal }: Ask): Promise<Found> => {
  const { data, source } = await reader.get('goals', {})
  const rows = data
    .filter(({ goal_id }) => goal === undefined || String(goal_id) === goal)
    .map(({ name, sessions, conversion_rate }) => ({ name, sessions, share: conversion_rate }))
  return { rows, source }
}

const paths = async ({ reader, page }: Ask): Promise<Found> => {
  const { data, source } = await reader.get('paths', page === undefined ? {} : { page })
  const [rows = []] = data.steps
  return { rows: rows.map(({ page: name, sessions, share }) => ({ name: name ?? '–', sessions, share })), source }
}

/** The stages of a funnel. */
const funnels = async ({ reader, funnel }: Ask): Promise<Found> => {
  const { data, source } = await reader.get('funnel', {}, { id: Number(funnel) })
  return { rows: data.steps.map(({ name, sessions, overall_rate: share }) => ({ name, sessions, share })), source }
}

/** By their ids, which are the paths of the reports. */
const found: Readonly<Record<string, (ask: Ask) => Promise<Found>>> = {
  'dimensions/hour': ofDimension('hour'),
  'dimensions/weekday': ofDimension('weekday'),
  'dimensions/screen': ofDimension('screen'),
  'dimensions/region': ofDimension('region'),
  goals,
  paths,
  funnels,
}

export const isReport = (id: string): boolean => Object.hasOwn(found, id)

/** Rows that keep the order of the clock or the calendar. */
const ordered = ['dimensions/hour', 'dimensions/weekday', 'funnels']
const maxRows = 10

/** @param filters those that the text names */
export const answerReport = async (batch: Batch, id: string, filters: Filters): Promise<Envelope> => {
  const { context, language, signal, range, now } = batch
  const texts = askTexts(language)
  const { labels, empty, errors } = textsOf(language)
  const { page, goal, funnel, ...others } = filters
  const rest =
    id === 'paths'
      ? { ...others, ...(goal !== undefined && { goal }) }
      : id === 'goals'
        ? { ...others, ...(page !== undefined && { page }) }
        : id === 'funnels'
          ? { ...others, ...(page !== undefined && { page }) }
          : filters
  const runner = createReportRunner(context, { language: language.tag, signal }, { range, filters: rest }, now)
  const reader = runner.readFor({ reports: new Set(), left: [] })
  const head = { id, question: texts.places[id] ?? null, plan: 'free' as const, confidence: 'direct' as const }
  try {
    const { rows, source } = await (found[id] ?? goals)({ reader, page, goal, funnel })
    const best = rows.toSorted((a, b) => b.sessions - a.sessions)
    const [first] = best
    const last = rows.at(-1)
    const values = {
      name: first?.name ?? '',
      n: first?.sessions ?? 0,
      rate: figureText(language.tag, { percent: first?.share ?? null }),
      last: last?.name ?? '',
      ended: last?.sessions ?? 0,
      through: figureText(language.tag, { percent: last?.share ?? null }),
    }
    const [[counted]] = await context.read([bindParameters(firstDayQuery, {})])
    const began = counted?.day ?? 0
    const said = first === undefined ? empty.visits : message(language, texts.reports[id] ?? '', values)
    const summary = range.to < began ? beginning(language, began) : said
    const columns = [
      { key: 'name', label: texts.columns[id] ?? '', unit: 'text' as const },
      { key: 'sessions', label: labels.sessions, unit: 'count' as const },
      { key: 'share', label: labels.share, unit: 'percent' as const },
    ]
    const shown = ordered.includes(id) ? rows : best.slice(0, maxRows)
    return { ...head, source, summary, status: 'ok', viz: { type: 'table', columns, rows: [...shown] } }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    const code = 'invalid_params' as const
    const text = errors.invalid_report
    return { ...head, source: null, summary: text, status: 'error', viz: null, code, message: text }
  }
}
