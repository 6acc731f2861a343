import { ApiError } from '../../http/errors.ts'
import { daysBetween } from '../../lib/time.ts'
import { type Category, type QuestionContext, question, tableOf } from '../question.ts'
import { figure, list } from '../shapes.ts'

const events = ({ all }: Pick<QuestionContext, 'all'>) => all('events', {})

/** The event given as parameter, by default the most frequent one. */
const selectEvent = async (context: QuestionContext) => {
  const { data, source } = await events(context)
  const name = context.params.event ?? data[0]?.name
  return { name, row: data.find(row => row.name === name), source }
}

const day = 86_400
/** An event counts as stopped after five times its usual interval, but not within a day. */
const pauses = 5

export const eventsAndPrivacy: Category = {
  id: 'events_and_privacy',
  questions: [
    list(['q116', 'paid', 'direct'], {
      load: events,
      rows: data => data.map(({ name, ...row }) => ({ ...row, event: name })),
      columns: ['event', 'total', 'visitors', 'sessions', 'last_seen'],
      empty: 'events',
      values: (first, rows) => ({ event: first.event, n: first.total, events: rows.length }),
    }),
    figure(['q117', 'paid', 'direct', 'event'], {
      unit: 'count',
      label: 'sessions',
      load: async context => {
        const { name, source } = await selectEvent(context)
        if (name === undefined) return { value: 0, source, empty: 'events' }
        const { data, ...said } = await context.get('eventDetail', {}, { name })
        return { value: data.sessions, source: said.source, label: name, values: { event: name, total: data.total } }
      },
    }),
    question(['q118', 'paid', 'direct', 'event'], 'status', async context => {
      const { name, row, source } = await selectEvent(context)
      if (name === undefined) return { viz: { state: 'warning', facts: [] }, source, values: {}, empty: 'events' }
      // An event that never occurred is an invalid parameter; one that occurred before the range is not.
      if (row === undefined) await context.get('eventDetail', {}, { name })
      const silence = row === undefined ? null : context.until - Date.parse(row.last_seen) / 1000
      const pause = (daysBetween(context.range.from, context.range.to) * day) / Math.max(1, row?.total ?? 0)
      const state = silence === null ? 'critical' : silence <= Math.max(day, pauses * pause) ? 'ok' : 'warning'
      const facts = [
        { label: context.label('event'), value: name },
        { label: context.label('total'), value: row?.total ?? 0 },
        { label: context.label('last_seen'), value: row?.last_seen ?? null },
      ]
      return {
        viz: { state, facts },
        source,
        values: { state, event: name, n: row?.total ?? 0, date: { date: row?.last_seen.slice(0, 10) ?? '1970-01-01' } },
      }
    }),
    question(['q119', 'paid', 'direct'], 'status', async context => {
      const checks = await context.site.audit(context.language)
      const [failed, warned] = [
        checks.filter(({ status }) => status === 'fail').length,
        checks.filter(({ status }) => status === 'warning').length,
      ]
      const state = failed > 0 ? 'critical' : warned > 0 ? 'warning' : 'ok'
      const facts = checks.map(({ label, status }) => ({ label, value: context.label(status) }))
      return {
        viz: { state, facts },
        source: { endpoint: '/privacy-audit', params: {} },
        values: { state, n: checks.length, failed, warned, passed: checks.length - failed - warned },
      }
    }),
    question(['q120', 'paid', 'direct'], 'table', async context => {
      const [checks, findings] = await Promise.all([
        context.site.audit(context.language),
        context.site.findings(context.language),
      ])
      const rows = [
        ...checks
          .filter(({ status }) => status === 'fail')
          .map(({ label, detail }) => ({ severity: context.label('fail'), message: label, hint: detail })),
        ...findings.map(({ severity, message, hint }) => ({
          severity: context.label(severity === 'critical' ? 'fail' : 'warning'),
          message,
          hint,
        })),
        ...checks
          .filter(({ status }) => status === 'warning')
          .map(({ label, detail }) => ({ severity: context.label('warning'), message: label, hint: detail })),
      ]
      const [first] = rows
      // The label of a failed check says what should be.
      const failed = checks.find(({ status }) => status === 'fail')
      const viz = tableOf(context, rows, ['severity', 'message', 'hint'])
      return {
        viz,
        source: { endpoint: '/privacy-audit', params: {} },
        ...(first === undefined
          ? { values: {}, empty: 'warnings' as const }
          : { values: { n: rows.length, message: failed === undefined ? first.message : failed.detail } }),
      }
    }),
  ],
}

/** The report rejected an unknown event name, so the parameter is invalid. */
export const isUnknownEvent = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'rest_event_not_found'
