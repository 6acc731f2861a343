import * as v from 'valibot'
import {
  bitOf,
  evidenceKinds,
  rulesIn,
  type SuspicionRule,
  suspicionRuleCodes,
  suspicionRules,
} from '../../bots/rules.ts'
import { none, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema } from '../../http/schemas.ts'
import { addDays, type Day, dayText, eachDay, timeText, type Zone } from '../../lib/time.ts'
import { choiceEntries, readChoice } from '../../settings/suspects.ts'
import sqlText from '../../sql/bots.sql'
import { rangeEntries } from '../asked-range.ts'
import { dimensionRows } from '../dimension-rows.ts'
import { bindParameters } from '../pool.ts'
import { report } from '../report.ts'

const sql = statements(sqlText)

const days = { days: v.string() }
const span = { start: v.number(), end: v.number() }

const visitsQuery = query(
  sql('visits'),
  v.object(days),
  v.object({ day: v.number(), evidence: v.number(), suspect: v.number(), visits: v.number() }),
)
const countriesQuery = query(
  sql('countries'),
  v.object({ ...span, network: v.number(), limit: v.number() }),
  v.object({ country: v.nullable(v.string()), visits: v.number() }),
)
const daysQuery = query(
  sql('days'),
  v.object(days),
  v.object({ day: v.number(), sessions: v.number(), refused: v.number() }),
  { reads: ['site_day'] },
)
const totals = { visitors: v.number(), sessions: v.number(), views: v.number(), bounces: v.number() }
const leftOutQuery = query(sql('left-out'), v.object(span), v.object(totals))
const choiceQuery = query(sql('choice'), none, v.object({ value: v.string() }))
const behindQuery = query(sql('behind'), v.object({ today: v.number() }), v.object({ days: v.number() }))

const about = (schema: v.GenericSchema<number>, text: string) => v.pipe(schema, v.description(text))
const figures = v.object({
  visitors: countSchema,
  sessions: countSchema,
  views: countSchema,
  bounces: countSchema,
})

const dataSchema = v.object({
  ...choiceEntries,
  recalculating: about(countSchema, 'Days that are still to be recalculated after a change.'),
  visits: about(countSchema, 'Visits that began in the range, with those that are left out.'),
  suspect: about(countSchema, 'Those of them that look automated.'),
  people: v.pipe(figures, v.description('What reports say, or would say, without suspect visits.')),
  suspect_figures: v.pipe(figures, v.description('What suspect visits come to.')),
  days: v.array(
    v.object({
      date: v.string(),
      refused: about(countSchema, 'Requests of bots that say so; never counted.'),
      visits: countSchema,
      suspect: countSchema,
      rules: v.pipe(
        v.record(v.picklist(suspicionRuleCodes), countSchema),
        v.description('Suspect visits by each rule that fired for them.'),
      ),
    }),
  ),
  rules: v.array(
    v.object({
      rule: v.picklist(suspicionRuleCodes),
      kind: v.picklist(evidenceKinds),
      about: v.pipe(v.string(), v.description('What it looks at.')),
      why: v.string(),
      since: v.pipe(v.string(), v.description('The month from which on visits are judged by it.')),
      state: v.pipe(
        v.picklist(['on', 'ignored', 'off']),
        v.description('`off` for a rule that fires for most visits of this site, by itself.'),
      ),
      off_since: v.nullable(v.string()),
      visits: about(countSchema, 'Visits for which it fired.'),
      suspect: about(countSchema, 'Suspect ones of them.'),
    }),
  ),
  countries: v.pipe(
    v.array(v.object({ country: v.nullable(v.string()), visits: countSchema, share: v.number() })),
    v.description('Visits from networks of servers by country. Nothing else is kept of a network.'),
  ),
})
export type BotsData = v.InferOutput<typeof dataSchema>

const countryCount = 25

const spansOf = (zone: Zone, from: Day, to: Day): string =>
  JSON.stringify(eachDay(from, to).map(day => [day, zone.startOf(day), zone.startOf(addDays(day, 1))]))

type VisitsRow = v.InferOutput<typeof visitsQuery.row>

const sumOf = (rows: readonly VisitsRow[], isWanted: (row: VisitsRow) => boolean): number =>
  rows.reduce((sum, row) => (isWanted(row) ? sum + row.visits : sum), 0)

const isSuspectRow = ({ suspect }: VisitsRow): boolean => suspect === 1

/** Suspect visits by rule; only of rules that fired. */
const byRule = (rows: readonly VisitsRow[]): Partial<Record<SuspicionRule, number>> => {
  const sums: Partial<Record<SuspicionRule, number>> = {}
  for (const { evidence, suspect, visits } of rows)
    if (suspect === 1) for (const rule of rulesIn(evidence)) sums[rule] = (sums[rule] ?? 0) + visits
  return sums
}

const nothing = { visitors: 0, sessions: 0, views: 0, bounces: 0 }

export const bots = report({
  path: '/bots',
  tag: 'Operation',
  summary: 'Visits that look automated: how many, by which rules, and what is done with them',
  can: 'manage_options',
  query: rangeEntries,
  data: dataSchema,
  metrics: [],
  run: async ({ range: { from, to }, read, context: { zone }, now }) => {
    const spans = spansOf(zone, from, to)
    const bounds = { start: zone.startOf(from), end: zone.startOf(addDays(to, 1)) }
    const network = bitOf('server_network')
    const [found, ofDays, places, leftOut, stored, behind, values] = await read([
      bindParameters(visitsQuery, { days: spans }),
      bindParameters(daysQuery, { days: spans }),
      bindParameters(countriesQuery, { ...bounds, network, limit: countryCount }),
      bindParameters(leftOutQuery, bounds),
      bindParameters(choiceQuery, {}),
      bindParameters(behindQuery, { today: zone.dayOf(now) }),
      dimensionRows('suspect', 2, 0),
    ])
    const choice = readChoice(stored[0]?.value)
    const isOut = choice.suspects === 'leave_out'
    const figuresOf = (key: string) => {
      const { visitors, sessions, views, bounces } = values.find(row => row.key === key) ?? nothing
      return { visitors, sessions, views, bounces }
    }
    const fromServers = sumOf(found, ({ evidence }) => (evidence & network) !== 0)
    const suspect = sumOf(found, isSuspectRow)
    const counted = ofDays.reduce((sum, { sessions }) => sum + sessions, 0)
    return {
      data: {
        suspects: choice.suspects,
        ignored: [...choice.ignored],
        // Which days change is known once the visits are judged.
        recalculating: Math.max(behind[0]?.days ?? 0, choice.judged ? 0 : 1),
        visits: counted + (isOut ? suspect : 0),
        suspect,
        people: figuresOf('people'),
        suspect_figures: isOut ? (leftOut[0] ?? nothing) : figuresOf('suspect'),
        days: ofDays.map(({ day, sessions, refused }) => {
          const rows = found.filter(row => row.day === day)
          const ofDay = sumOf(rows, isSuspectRow)
          return {
            date: dayText(day),
            refused,
            visits: sessions + (isOut ? ofDay : 0),
            suspect: ofDay,
            rules: byRule(rows),
          }
        }),
        rules: suspicionRules.map(({ code: rule, ...row }) => {
          const off = choice.off.find(one => one.rule === rule)
          const fired = (one: VisitsRow): boolean => (one.evidence & bitOf(rule)) !== 0
          return {
            rule,
            ...row,
            state: choice.ignored.includes(rule)
              ? ('ignored' as const)
              : off === undefined
                ? ('on' as const)
                : ('off' as const),
            off_since: off === undefined ? null : timeText(off.since),
            visits: sumOf(found, fired),
            suspect: sumOf(found, row => fired(row) && isSuspectRow(row)),
          }
        }),
        countries: places.map(row => ({ ...row, share: Math.round((row.visits / fromServers) * 1000) / 1000 })),
      },
    }
  },
})
