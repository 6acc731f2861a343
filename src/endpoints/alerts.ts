import * as v from 'valibot'
import { type Alerts, alertChannels } from '../alerts/alerts.ts'
import type { Raised } from '../alerts/history.ts'
import { type AlertKind, alertKinds, alertLimits, type Bounds } from '../alerts/kinds.ts'
import { type AlertSentences, alertSentences } from '../alerts/sentences.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { languageEntry, languageOf } from '../http/language.ts'
import { pagination, timeSchema, totals } from '../http/schemas.ts'
import { whoOf } from '../identity/who.ts'
import { timeText } from '../lib/time.ts'
import type { Context } from './context.ts'

const time = v.nullable(timeSchema)
const title = v.pipe(v.string(), v.description("What the kind is called in the caller's language."))

const stateSchema = v.object({
  kind: v.picklist(alertKinds),
  title,
  enabled: v.boolean(),
  threshold: v.number(),
  hours: v.pipe(v.nullable(v.number()), v.description('Null for a kind that has none.')),
  has_signal: v.pipe(
    v.boolean(),
    v.description(
      'Whether there is anything to watch: views of missing pages, if the tracker reports them; goals, if there are any.',
    ),
  ),
  raised_at: v.pipe(time, v.description('Null unless it is raised.')),
})
const alertsSchema = v.object({
  ways: v.pipe(
    v.array(v.picklist(alertChannels)),
    v.description(
      'The channels that send alerts: mail by --mail-to, --alert-command, or --webhook. Empty if none is set.',
    ),
  ),
  alerts: v.array(stateSchema),
})
export type AlertsAnswer = v.InferOutput<typeof alertsSchema>

const raisedSchema = v.object({
  id: v.number(),
  kind: v.picklist(alertKinds),
  title,
  text: v.pipe(v.string(), v.description('What was found when it began, as a sentence.')),
  began_at: timeSchema,
  ended_at: v.pipe(time, v.description('Null while it lasts.')),
  values: v.pipe(v.record(v.string(), v.number()), v.description('The numbers in the sentence, by name.')),
  goal: v.pipe(v.nullable(v.string()), v.description('The name of the goal that it is about.')),
  told_at: v.pipe(time, v.description('When a message of it was sent. Null if none was.')),
  told_end_at: v.pipe(time, v.description('When a message of its end was sent.')),
})
export type RaisedAnswer = v.InferOutput<typeof raisedSchema>

const aboutThreshold: Readonly<Record<AlertKind, string>> = {
  silent: 'Alert after this many times the longest pause that is usual on the weekday.',
  spike: 'At least this many more visitors than usual.',
  drop: 'At least this many fewer visitors than usual.',
  refused: 'At least this percentage of requests.',
  not_found: 'At least this many more views of missing pages than usual.',
  goal: 'At most this percentage of what is usual.',
  disk: 'Less free space on the disk than this percentage.',
}
const aboutHours = {
  silent: 'Alert after this many hours without a page view.',
  refused: 'Hours whose requests are counted.',
  goal: 'Longest time that is compared: one, three and seven days.',
  disk: 'The disk would be full within this many hours.',
} as const

const within = ({ min, max }: Bounds, about: string) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max), v.description(about)))

const threshold = (kind: AlertKind) => ({
  enabled: v.optional(v.boolean()),
  threshold: within(alertLimits[kind].threshold, aboutThreshold[kind]),
})
const withoutHours = (kind: 'spike' | 'drop' | 'not_found') => v.optional(v.strictObject(threshold(kind)))
const withHours = (kind: keyof typeof aboutHours) =>
  v.optional(v.strictObject({ ...threshold(kind), hours: within(alertLimits[kind].hours, aboutHours[kind]) }))

const body = v.strictObject({
  silent: withHours('silent'),
  spike: withoutHours('spike'),
  drop: withoutHours('drop'),
  refused: withHours('refused'),
  not_found: withoutHours('not_found'),
  goal: withHours('goal'),
  disk: withHours('disk'),
})

const timeOrNull = (at: number | null): string | null => (at === null ? null : timeText(at))

const describeAll = ({ channels, states }: Alerts, sentences: AlertSentences): AlertsAnswer => ({
  ways: [...channels],
  alerts: states().map(({ kind, enabled, threshold: limit, hours, hasSignal, raised }) => ({
    kind,
    title: sentences.title(kind),
    enabled,
    threshold: limit,
    hours,
    has_signal: hasSignal,
    raised_at: timeOrNull(raised?.beganAt ?? null),
  })),
})

const describeRaised = (raised: Raised, sentences: AlertSentences): RaisedAnswer => ({
  id: raised.id,
  kind: raised.kind,
  title: sentences.title(raised.kind),
  text: sentences.sentence(raised.kind, raised),
  began_at: timeText(raised.beganAt),
  ended_at: timeOrNull(raised.endedAt),
  values: raised.values,
  goal: raised.goal,
  told_at: timeOrNull(raised.toldAt),
  told_end_at: timeOrNull(raised.toldEndAt),
})

type AlertContext = Pick<Context, 'alerts' | 'zone'>

const common = { can: 'manage_options', tag: 'Settings' } as const

export const alertEndpoints: readonly Endpoint<AlertContext>[] = [
  endpoint({
    ...common,
    method: 'GET',
    path: '/alerts',
    summary: 'Which alerts are on, their thresholds, and which are raised',
    query: v.object(languageEntry),
    output: alertsSchema,
    handle: ({ alerts, zone }: AlertContext, call) => ({
      data: describeAll(alerts, alertSentences(zone, languageOf(call.query.lang, call))),
    }),
  }),
  endpoint({
    ...common,
    method: 'PUT',
    path: '/alerts',
    summary: 'Turn alerts on or off, and set their thresholds',
    description: 'Changes what is given, all or nothing: `{"spike": {"enabled": true, "threshold": 50}}`.',
    accepts: ['application/json'],
    query: v.object(languageEntry),
    body,
    output: alertsSchema,
    handle: ({ alerts, zone }: AlertContext, call) => {
      alerts.change(call.body, whoOf(call.identity))
      return { data: describeAll(alerts, alertSentences(zone, languageOf(call.query.lang, call))) }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    path: '/alerts/history',
    summary: 'The alerts that were raised, newest first',
    list: true,
    query: v.object({ ...pagination, ...languageEntry }),
    output: v.array(raisedSchema),
    handle: ({ alerts, zone }: AlertContext, call) => {
      const { raised, total } = alerts.history(call.query)
      const sentences = alertSentences(zone, languageOf(call.query.lang, call))
      return { data: raised.map(one => describeRaised(one, sentences)), headers: totals(total, call.query.limit) }
    },
  }),
]
