import { isPlain, type Plain } from '../commands/report-tables.ts'
import { ApiError } from '../http/errors.ts'
import { addDays, dateOf, dayText } from '../lib/time.ts'
import { definitionsIn } from '../reports/definitions.ts'
import { maxDays } from '../reports/range.ts'
import type { Api } from './api.ts'

export type Resource = {
  uri: string
  name: string
  title: string
  description: string
  read: (api: Api) => Promise<unknown>
}

const seriesOf = (body: Plain): Plain[] =>
  isPlain(body.data) && Array.isArray(body.data.series) ? body.data.series.filter(isPlain) : []

const summary = async (api: Api, from: string, to: string, interval: string): Promise<Plain> =>
  (await api({ method: 'GET', path: '/summary', query: { from, to, interval } })).body

/** The first day with a view among the last ten years; null for a file without any. */
const firstDayOf = async (api: Api, months: Plain): Promise<string | null> => {
  const first = seriesOf(months).find(({ views }) => Number(views) > 0)?.date
  const day = dateOf(String(first))
  if (day === null) return null
  const days = await summary(api, dayText(day), dayText(addDays(day, 31)), 'day')
  const date = seriesOf(days).find(({ views }) => Number(views) > 0)?.date
  return typeof date === 'string' ? date : null
}

/** The days for which single visits are kept; null for a password that may not see the settings. */
const retentionOf = async (api: Api): Promise<unknown> => {
  try {
    const { body } = await api({ method: 'GET', path: '/diagnostics' })
    return isPlain(body.privacy) ? (body.privacy.retention_days ?? null) : null
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

const readSite = async (api: Api): Promise<unknown> => {
  const { body: recent } = await api({ method: 'GET', path: '/annotations', query: { automatic: '0' } })
  const meta = isPlain(recent.meta) ? recent.meta : {}
  const today = dateOf(String(meta.to)) ?? 0
  const months = await summary(api, dayText(addDays(today, 1 - maxDays)), dayText(today), 'month')
  return {
    timezone: meta.timezone,
    today: meta.to,
    first_day: await firstDayOf(api, months),
    retention_days: await retentionOf(api),
    imported: isPlain(months.meta) ? (months.meta.imported ?? []) : [],
    ...(meta.demo !== undefined && { demo: meta.demo }),
  }
}

export const resources: readonly Resource[] = [
  {
    uri: 'footfall://definitions',
    name: 'definitions',
    title: 'What each figure means',
    description: 'The definition of every figure of the reports, as in their meta.definitions.',
    read: async () => definitionsIn('en'),
  },
  {
    uri: 'footfall://questions',
    name: 'questions',
    title: 'The questions that can be answered',
    description: 'All questions with their ids, as the tool questions lists them.',
    read: async api => (await api({ method: 'GET', path: '/advisor/questions' })).body,
  },
  {
    uri: 'footfall://site',
    name: 'site',
    title: 'The site and its days',
    description: "The site's time zone, its first day, for how many days single visits are kept, and imported days.",
    read: readSite,
  },
]
