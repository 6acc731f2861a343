import { ratio } from '../../reports/numbers.ts'
import { figure, list, most } from '../shapes.ts'
import type { QuestionContext, Category } from '../question.ts'
import { fewest, withQuality } from './channels.ts'
import { nameOf } from './pages.ts'
import { flat } from './traffic.ts'

const pages = ({ get }: Pick<QuestionContext, 'get'>) => get('pages', { limit: 200 })
const entries = ({ get }: Pick<QuestionContext, 'get'>) => get('entryPages', { limit: 200 })
const exits = ({ get }: Pick<QuestionContext, 'get'>) => get('exitPages', { limit: 200 })
const summary = ({ get }: Pick<QuestionContext, 'get'>) => get('summary', { interval: 'day', compare: 'previous' })

/** A page seems broken or unclear where most who land there leave at once, though elsewhere most stay. */
const leftAtOnce = 0.7

export const engagement: Category = {
  id: 'engagement_and_quality',
  questions: [
    list(['q93', 'paid', 'direct'], {
      ask: entries,
      rows: data =>
        most(
          data.filter(({ bounces }) => bounces > 0),
          row => row.bounces,
        ),
      columns: ['page', 'title', 'bounces', 'sessions', 'bounce_rate'],
      empty: 'bounces',
      say: first => ({ page: nameOf(first), n: first.bounces, rate: { percent: first.bounce_rate } }),
    }),
    list(['q94', 'paid', 'direct'], {
      ask: exits,
      rows: data => data,
      columns: ['page', 'title', 'sessions', 'bounces', 'exit_rate', 'share'],
      empty: 'visits',
      say: first => ({ page: nameOf(first), n: first.sessions, share: { percent: first.share } }),
    }),
    figure(['q95', 'paid', 'calculated'], {
      unit: 'seconds',
      label: 'avg_session_duration',
      tile: async ask => {
        const {
          data: { totals, previous, change },
          source,
        } = await summary(ask)
        return {
          value: totals.avg_session_duration,
          source,
          previous: previous?.totals.avg_session_duration,
          change: change?.avg_session_duration,
          empty: totals.sessions === 0 ? 'visits' : undefined,
        }
      },
    }),
    figure(['q96', 'paid', 'calculated'], {
      unit: 'count',
      label: 'views_per_session',
      tile: async ask => {
        const {
          data: { totals, previous, change },
          source,
        } = await summary(ask)
        return {
          value: totals.views_per_session,
          source,
          previous: previous?.totals.views_per_session,
          change: change?.views_per_session,
          values: { n: { decimal: totals.views_per_session }, count: totals.views_per_session ?? 0 },
          empty: totals.sessions === 0 ? 'visits' : undefined,
        }
      },
    }),
    list(['q97', 'paid', 'calculated'], {
      ask: pages,
      rows: data =>
        most(
          data.filter(({ avg_time_on_page, views }) => avg_time_on_page !== null && views >= fewest),
          row => row.avg_time_on_page,
        ),
      columns: ['page', 'title', 'avg_time_on_page', 'avg_scroll_depth', 'total_duration', 'views'],
      empty: 'time',
      say: first => ({ page: nameOf(first), time: { seconds: first.avg_time_on_page }, n: first.views }),
    }),
    list(['q98', 'paid', 'proxy'], {
      ask: ({ all }) => all('sources', {}),
      rows: data =>
        most(
          flat(data)
            .filter(({ sessions }) => sessions >= fewest)
            .map(withQuality),
          row => row.views_per_session,
        ),
      columns: ['channel', 'source', 'domain', 'sessions', 'views_per_session', 'bounce_rate'],
      empty: 'few',
      say: first => ({
        source: first.source,
        pages: { decimal: first.views_per_session },
        count: first.views_per_session ?? 0,
        n: first.sessions,
      }),
    }),
    list(['q99', 'paid', 'proxy'], {
      ask: pages,
      rows: data =>
        most(
          data
            .filter(({ entries, bounces }) => entries >= fewest && bounces / entries >= leftAtOnce)
            .map(row => ({
              ...row,
              bounce_rate: ratio(row.bounces, row.entries),
              exit_rate: ratio(row.exits, row.views),
            })),
          row => row.bounces,
        ),
      columns: ['page', 'title', 'entries', 'bounce_rate', 'exit_rate', 'avg_time_on_page'],
      empty: 'unclear',
      say: (first, rows) => ({
        pages: rows.length,
        page: nameOf(first),
        rate: { percent: first.bounce_rate },
        n: first.entries,
      }),
    }),
    figure(['q100', 'paid', 'calculated', 'page'], {
      unit: 'percent',
      label: 'bounce_rate',
      tile: async ask => {
        const { page } = ask.params
        const said =
          page === undefined ? await entries(ask) : await ask.all('entryPages', { search: page.slice(0, 200) })
        const found = page === undefined ? said.data[0] : said.data.find(row => row.page === page)
        if (found === undefined)
          return {
            value: null,
            source: said.source,
            empty: page === undefined ? 'visits' : 'landing',
            values: { page: page ?? '' },
          }
        return {
          value: found.bounce_rate,
          source: said.source,
          label: found.page,
          values: { page: found.page, bounces: found.bounces, sessions: found.sessions },
        }
      },
    }),
  ],
}
