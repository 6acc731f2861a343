import { dayText } from '../../lib/time.ts'
import { ratio } from '../../reports/numbers.ts'
import { type Category, Missing, type QuestionContext, question, tableOf } from '../question.ts'
import type { DataOf } from '../reports.ts'
import { figure, list, sum } from '../shapes.ts'
import { summaryOf } from './traffic.ts'

const window = 300
const halfHour = 1800

const now = ({ get }: Pick<QuestionContext, 'get'>) => get('realtime', { window })
const todayOf = ({ get, today }: Pick<QuestionContext, 'get' | 'today'>) =>
  get('summary', { from: dayText(today), to: dayText(today), interval: 'day' })
const lately = ({ minutes }: DataOf<'realtime'>): number => sum(minutes, ({ views }) => views)

/** The number of requests with an outcome. */
export const refused = ({ outcomes }: DataOf<'refusals'>, ...names: string[]): number =>
  sum(
    outcomes.filter(({ outcome }) => names.includes(outcome)),
    ({ requests }) => requests,
  )

/** What is said of visits that look automated. */
export const suspectsOf = async ({ get, suspects }: QuestionContext): Promise<string> => {
  const { visits, suspect, suspects: choice } = (await get('bots', {})).data
  return suspects({ visits, suspect, leftOut: choice === 'leave_out' })
}

/** Page views, events and updates of people: accepted ones and duplicates. */
export const counted = ['accepted', 'repeated'] as const

export const tracking: Category = {
  id: 'real_time_tracking_health',
  questions: [
    question(['q13', 'paid', 'direct'], 'live', async context => {
      const { data, source } = await now(context)
      return {
        viz: { value: data.active_visitors, unit: 'count', window_seconds: data.window_seconds },
        source,
        values: { n: data.active_visitors },
      }
    }),
    question(['q14', 'paid', 'direct'], 'live_table', async context => {
      const { data, source } = await now(context)
      const [first] = data.active_pages
      const viz = {
        ...tableOf(context, data.active_pages, ['page', 'title', 'visitors']),
        window_seconds: data.window_seconds,
      }
      return {
        viz,
        source,
        ...(first === undefined
          ? { values: {}, empty: 'now' as const }
          : { values: { page: first.page, n: first.visitors, rows: data.active_pages.length } }),
      }
    }),
    question(['q15', 'paid', 'calculated'], 'status', async context => {
      const [{ data: live, source }, { data: today }] = await Promise.all([now(context), todayOf(context)])
      const state = !context.site.trackingEnabled
        ? 'critical'
        : today.totals.views > 0 || lately(live) > 0
          ? 'ok'
          : 'warning'
      const facts = [
        { label: context.label('online_now'), value: live.active_visitors },
        { label: context.label('views_half_hour'), value: lately(live) },
        { label: context.label('views_today'), value: today.totals.views },
      ]
      return { viz: { state, facts }, source, values: { state, n: today.totals.views } }
    }),
    question(['q16', 'paid', 'direct'], 'live', async context => {
      const { data, source } = await now(context)
      const value = lately(data)
      const [newest] = data.recent
      return {
        viz: { value, unit: 'count', window_seconds: halfHour },
        source,
        values: { n: value, page: newest?.page ?? '' },
      }
    }),
    question(['q17', 'paid', 'direct'], 'status', async context => {
      const {
        data: { totals },
        source,
      } = await summaryOf(context)
      const facts = (['visitors', 'sessions', 'views'] as const).map(key => ({
        label: context.label(key),
        value: totals[key],
      }))
      const state = totals.views > 0 ? 'ok' : 'warning'
      return { viz: { state, facts }, source, values: { state, n: totals.views, visitors: totals.visitors } }
    }),
    question(['q18', 'paid', 'direct'], 'status', async context => {
      const { data, source } = await now(context)
      const value = lately(data)
      const state = value > 0 ? 'ok' : 'warning'
      return {
        viz: {
          state,
          facts: [
            { label: context.label('views_half_hour'), value },
            { label: context.label('online_now'), value: data.active_visitors },
          ],
        },
        source,
        values: { state, n: value },
      }
    }),
    question(['q19', 'paid', 'direct'], 'table', async context => {
      const [known, unseen] = await Promise.all([
        context.get('content', { limit: 1 }),
        context.get('content', { unseen: true, orderby: 'newest' }),
      ])
      if (known.total === 0) throw new Missing('needs_content_meta')
      const viz = tableOf(
        context,
        unseen.data.map(row => ({ ...row, published_at: row.published_at?.slice(0, 10) ?? null })),
        ['page', 'title', 'published_at', 'views'],
      )
      return {
        viz,
        source: unseen.source,
        values: { n: unseen.total, known: known.total },
        empty: unseen.total === 0 ? 'unseen' : undefined,
      }
    }),
    question(['q20', 'paid', 'direct'], 'status', async context => {
      const {
        data: { totals },
        source,
      } = await summaryOf(context)
      const counts = ['visitors', 'sessions', 'views', 'total_duration'] as const
      const zero = counts.filter(key => totals[key] === 0).length
      const state = zero === counts.length ? 'critical' : totals.views === 0 ? 'warning' : 'ok'
      const facts = counts.map(key => ({ label: context.label(key), value: totals[key] }))
      return { viz: { state, facts }, source, values: { state, n: totals.views, sessions: totals.sessions } }
    }),
    list(['q21', 'paid', 'direct'], {
      load: ({ get }) => get('refusals', {}),
      rows: ({ foreign_hosts }) => foreign_hosts,
      columns: ['host', 'requests'],
      values: ({ host, requests }, rows) => ({ host, n: requests, hosts: rows.length }),
      empty: 'hosts',
    }),
    figure(['q22', 'paid', 'proxy'], {
      unit: 'count',
      label: 'bots_refused',
      load: async context => {
        const { data, source } = await context.get('refusals', {})
        const bots = refused(data, 'bot')
        const excluded = refused(data, 'excluded_ip', 'excluded_role')
        const share = ratio(bots, bots + refused(data, ...counted))
        const suspects = await suspectsOf(context)
        return { value: bots, source, values: { share: { percent: share ?? 0 }, excluded, suspects } }
      },
    }),
  ],
}
