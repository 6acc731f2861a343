import * as v from 'valibot'
import { demoMarkSchema } from '../database/demo-mark.ts'
import { dateSchema, timeSchema } from '../http/schemas.ts'
import { grains, historyFormats, lacks } from '../lib/histories.ts'
import { type Day, dayText, timeText } from '../lib/time.ts'
import { importKinds } from '../rollup/imported.ts'
import { comparedMeta } from './compare.ts'
import type { ReportContext } from './context.ts'
import type { Unmatched } from './filters/nearest-values.ts'
import type { Range } from './range.ts'

const traceSchema = v.object({
  sql: v.pipe(v.string(), v.description('The statement.')),
  params: v.pipe(v.record(v.string(), v.unknown()), v.description('Its bound values.')),
  plan: v.pipe(v.array(v.string()), v.description("SQLite's query plan.")),
  rows: v.pipe(v.number(), v.description('Rows that it gave.')),
  milliseconds: v.pipe(v.number(), v.description('How long it took.')),
  runs: v.optional(v.pipe(v.number(), v.description('How often it ran, if more than once.'))),
})

const suspectsSchema = v.object({
  left_out: v.literal(true),
  complete_from: v.pipe(
    v.nullable(dateSchema),
    v.description(
      'The first day of which that is so, if the range begins before: older days only have sums, which stay.',
    ),
  ),
})

/** What is said where suspect visits are in no figure: days that only have sums, before `complete`, keep theirs. */
export const leftOutMeta = ({ from }: Range, complete: Day): v.InferOutput<typeof suspectsSchema> => ({
  left_out: true,
  complete_from: from < complete ? dayText(complete) : null,
})

/** Metadata that every report returns with its data. */
export const metaEntries = {
  from: dateSchema,
  to: dateSchema,
  from_hour: v.optional(v.pipe(v.number(), v.description('The hour of the first day at which the range begins.'))),
  timezone: v.string(),
  timezone_changes: v.optional(
    v.pipe(
      v.array(v.object({ date: dateSchema, previous: v.string(), timezone: v.string() })),
      v.description('Days of the range from which on another time zone counts.'),
    ),
  ),
  imported: v.optional(
    v.pipe(
      v.array(
        v.object({
          from: dateSchema,
          to: dateSchema,
          kind: v.picklist([...importKinds, ...historyFormats]),
          grain: v.picklist(grains),
          lacks: v.array(v.picklist(lacks)),
        }),
      ),
      v.description(
        'Days of the range whose figures were imported: from what (`kind`), as single visits or sums (`grain`), and ' +
          'what they do not know or only estimate (`lacks`).',
      ),
    ),
  ),
  sources_file: v.optional(
    v.pipe(
      v.object({ entries: v.number(), since: dateSchema }),
      v.description('The operator says what some hosts and sources are (`--sources`), for visits since that day.'),
    ),
  ),
  suspects: v.optional(
    v.pipe(suspectsSchema, v.description('Visits that look automated are in no figure, see `/bots`.')),
  ),
  ignored: v.optional(
    v.pipe(
      v.array(v.string()),
      v.description('Query parameters that this report does not take: they changed nothing.'),
    ),
  ),
  unmatched: v.optional(
    v.pipe(
      v.array(v.object({ key: v.string(), value: v.string(), nearest: v.array(v.string()) })),
      v.description('Values of filters that nothing in the file has, with up to three known ones that may be meant.'),
    ),
  ),
  ...comparedMeta,
  generated_at: timeSchema,
  demo: v.optional(v.pipe(demoMarkSchema, v.description('Present only if the data was made up by `footfall demo`.'))),
  definitions: v.pipe(
    v.record(v.string(), v.object({ version: v.number(), text: v.string() })),
    v.description('What each metric of the data means, in one sentence.'),
  ),
  explain: v.optional(v.pipe(v.array(traceSchema), v.description('With `explain=1`: the statements that ran.'))),
}
export type Meta = v.InferOutput<v.ObjectSchema<typeof metaEntries, undefined>>

/** Changes of the time zone within the range; earlier days use the previous zone. */
const zoneChangesIn = ({ from, to }: Range, { zoneChanges }: ReportContext) =>
  zoneChanges
    .filter(({ first_day }) => from < first_day && first_day <= to)
    .map(({ first_day, previous, timezone }) => ({ date: dayText(first_day), previous, timezone }))

/** Days of the range with imported visits. */
const importedIn = ({ from, to }: Range, { imported }: ReportContext) =>
  imported
    .filter(({ first_day, last_day }) => first_day <= to && last_day >= from)
    .map(({ kind, grain, lacks: unknown, first_day, last_day }) => ({
      from: dayText(Math.max(from, first_day)),
      to: dayText(Math.min(to, last_day)),
      kind,
      grain,
      lacks: [...unknown],
    }))

/** Where the visits of the range are from: imported days, and whether the operator's file of sources may have decided. */
export const originsIn = (range: Range, context: ReportContext) => {
  const imported = importedIn(range, context)
  const { sources } = context
  return {
    ...(imported.length > 0 && { imported }),
    ...(sources != null &&
      sources.since <= range.to && { sources_file: { entries: sources.entries, since: dayText(sources.since) } }),
  }
}

/** The entries of meta about the range, and when it was read. */
export const rangeMeta = (range: Range, from_hour: number | undefined, now: number, context: ReportContext) => {
  const changes = zoneChangesIn(range, context)
  return {
    from: dayText(range.from),
    to: dayText(range.to),
    ...(from_hour !== undefined && { from_hour }),
    timezone: context.zone.name,
    ...(changes.length > 0 && { timezone_changes: changes }),
    generated_at: timeText(now),
    ...(context.demo != null && { demo: context.demo }),
  }
}

/** Values that nothing in the file has, of filters and of the report's own parameters. */
export const unmatchedMeta = (
  ...found: readonly { unmatched?: readonly Unmatched[] }[]
): { unmatched?: Unmatched[] } => {
  const unmatched = found.flatMap(one => one.unmatched ?? [])
  return unmatched.length === 0 ? {} : { unmatched }
}
