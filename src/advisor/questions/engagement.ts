import { ratio } from '../../reports/numbers.ts'
import { sameMeans } from '../chance.ts'
import type { Category } from '../question.ts'
import type { DataOf } from '../reports.ts'
import { figure, largestFirst, list } from '../shapes.ts'
import { nameOf } from './content.ts'
import { entries, exits, pages } from './pages.ts'
import { minSessions, withQuality } from './quality.ts'
import { flat, summaryOf } from './traffic.ts'

/** At or above this bounce rate a page is likely broken or unclear. */
const unclearBounceRate = 0.7

type Totals = DataOf<'summary'>['totals']

/** Whether chance explains the change of an average per visit. */
const sameAverage = (
  metric: 'avg_session_duration' | 'views_per_session',
  now: Totals,
  then: Totals | undefined,
): boolean => sameMeans(now[metric] ?? 0, now.sessions, then?.[metric] ?? 0, then?.sessions ?? 0)

export const engagement: Category = {
  id: 'engagement_and_quality',
  questions: [
    list(['q93', 'paid', 'direct'], {
      load: entries,
      rows: data =>
        largestFirst(
          data.filter(({ bounces }) => bounces > 0),
          row => row.bounces,
        ),
      columns: ['page', 'title', 'bounces', 'sessions', 'bounce_rate'],
      empty: 'bounces',
      values: first => ({ page: nameOf(first), n: first.bounces, rate: { percent: first.bounce_rate } }),
    }),
    list(['q94', 'paid', 'direct'], {
      load: exits,
      rows: data => data,
      columns: ['page', 'title', 'sessions', 'bounces', 'exit_rate', 'share'],
      empty: 'visits',
      values: first => ({ page: nameOf(first), n: first.sessions, share: { percent: first.share } }),
    }),
    figure(['q95', 'paid', 'calculated'], {
      unit: 'seconds',
      label: 'avg_session_duration',
      load: async context => {
        const {
          data: { totals, previous, change },
          source,
        } = await summaryOf(context)
        return {
          value: totals.avg_session_duration,
          source,
          previous: previous?.totals.avg_session_duration,
          change: change?.avg_session_duration,
          chance: sameAverage('avg_session_duration', totals, previous?.totals),
          empty: totals.sessions === 0 ? 'visits' : undefined,
        }
      },
    }),
    figure(['q96', 'paid', 'calculated'], {
      unit: 'count',
      label: 'views_per_session',
      load: async context => {
        const {
          data: { totals, previous, change },
          source,
        } = await summaryOf(context)
        return {
          value: totals.views_per_session,
          source,
          previous: previous?.totals.views_per_session,
          change: change?.views_per_session,
          chance: sameAverage('views_per_session', totals, previous?.totals),
          values: { n: { decimal: totals.views_per_session }, count: totals.views_per_session ?? 0 },
          empty: totals.sessions === 0 ? 'visits' : undefined,
        }
      },
    }),
    list(['q97', 'paid', 'calculated'], {
      load: pages,
      rows: data =>
        largestFirst(
          data.filter(({ avg_time_on_page, views }) => avg_time_on_page !== null && views >= minSessions),
          row => row.avg_time_on_page,
        ),
      columns: ['page', 'title', 'avg_time_on_page', 'avg_scroll_depth', 'total_duration', 'views'],
      empty: 'time',
      values: first => ({ page: nameOf(first), time: { seconds: first.avg_time_on_page }, n: first.views }),
    }),
    list(['q98', 'paid', 'proxy'], {
      load: ({ all }) => all('sources', {}),
      rows: data =>
        largestFirst(
          flat(data)
            .filter(({ sessions }) => sessions >= minSessions)
            .map(withQuality),
          row => row.views_per_session,
        ),
      columns: ['channel', 'source', 'domain', 'sessions', 'views_per_session', 'bounce_rate'],
      empty: 'few',
      values: first => ({
        source: first.source,
        pages: { decimal: first.views_per_session },
        count: first.views_per_session ?? 0,
        n: first.sessions,
      }),
    }),
    list(['q99', 'paid', 'proxy'], {
      load: pages,
      rows: data =>
        largestFirst(
          data
            .filter(({ entries, bounces }) => entries >= minSessions && bounces / entries >= unclearBounceRate)
            .map(row => ({
              ...row,
              bounce_rate: ratio(row.bounces, row.entries),
              exit_rate: ratio(row.exits, row.views),
            })),
          row => row.bounces,
        ),
      columns: ['page', 'title', 'entries', 'bounce_rate', 'exit_rate', 'avg_time_on_page'],
      empty: 'unclear',
      values: (first, rows) => ({
        pages: rows.length,
        page: nameOf(first),
        rate: { percent: first.bounce_rate },
        n: first.entries,
      }),
    }),
    figure(['q100', 'paid', 'calculated', 'page'], {
      unit: 'percent',
      label: 'bounce_rate',
      load: async context => {
        const { page } = context.params
        const result =
          page === undefined ? await entries(context) : await context.all('entryPages', { search: page.slice(0, 200) })
        const landing = page === undefined ? result.data[0] : result.data.find(row => row.page === page)
        if (landing === undefined)
          return {
            value: null,
            source: result.source,
            empty: page === undefined ? 'visits' : 'landing',
            values: { page: page ?? '' },
          }
        return {
          value: landing.bounce_rate,
          source: result.source,
          label: landing.page,
          values: { page: landing.page, bounces: landing.bounces, sessions: landing.sessions },
        }
      },
    }),
  ],
}
