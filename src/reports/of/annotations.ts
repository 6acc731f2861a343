import * as v from 'valibot'
import { type Annotation, annotationOf, boundsOf, listQuery } from '../../annotations/annotations.ts'
import {
  type Automatic,
  automaticOf,
  changesQuery,
  hoursQuery,
  suspectDays,
  suspectsQuery,
} from '../../annotations/automatic.ts'
import { dayOf, kinds } from '../../annotations/rules.ts'
import { automaticKinds, sentenceOf } from '../../annotations/sentences.ts'
import { daysAfter, daysBefore } from '../../annotations/silence.ts'
import { dateSchema, timeSchema } from '../../http/schemas.ts'
import { addDays, dayText, timeText, type Zone } from '../../lib/time.ts'
import { rawFromQuery } from '../../rollup/raw-from.ts'
import { rangeEntries } from '../asked-range.ts'
import { bindParameters } from '../pool.ts'
import { report } from '../report.ts'
import { firstViewDayQuery } from '../start.ts'

const moment = v.pipe(v.string(), v.description('A date for a whole day, else a time (RFC 3339).'))
export const annotationSchema = v.object({
  id: v.pipe(v.nullable(v.number()), v.description('Null for an automatic one.')),
  day: v.pipe(dateSchema, v.description("Its first day in the site's time zone.")),
  at: moment,
  until: v.pipe(
    v.nullable(moment),
    v.description('The last day or the end. Null for a single day or moment, and for a silence that goes on.'),
  ),
  text: v.string(),
  kind: v.picklist([...kinds, ...automaticKinds]),
  link: v.nullable(v.string()),
  by: v.pipe(v.nullable(v.string()), v.description('As in the audit log. Share links do not show it.')),
  created_at: v.nullable(timeSchema),
  automatic: v.boolean(),
})
export type AnnotationAnswer = v.InferOutput<typeof annotationSchema>

/** An annotation by hand, as it is answered. */
export const describe = (annotation: Annotation, zone: Zone): AnnotationAnswer => {
  const { id, at, wholeDay, text, kind, link, by, createdAt } = annotation
  return {
    id,
    day: dayText(dayOf(annotation, zone)),
    at: wholeDay ? dayText(at) : timeText(at),
    until: null,
    text,
    kind,
    link,
    by,
    created_at: timeText(createdAt),
    automatic: false,
  }
}

const describeAutomatic = ({ day, at, until, kind, values }: Automatic, language: string): AnnotationAnswer => ({
  id: null,
  day: dayText(day),
  at,
  until,
  text: sentenceOf(kind, values, language),
  kind,
  link: null,
  by: null,
  created_at: null,
  automatic: true,
})

/** Whole days come before the moments of the day, which their texts sort by. */
const inOrder = (a: AnnotationAnswer, b: AnnotationAnswer): number =>
  a.day === b.day ? (a.at < b.at ? -1 : Number(a.at > b.at)) : a.day < b.day ? -1 : 1

export const annotationList = report({
  path: '/annotations',
  summary: 'What was noted of the days of a range, by hand and by the service',
  description:
    'Automatic ones are imports, changes of the time zone, of settings and of the version, the first day with single ' +
    'visits, days without visits, silences: hours in which nothing was counted, unlike in the weeks before, and days ' +
    'at the end of a week with many visits that look automated and are counted.',
  tag: 'Segments and annotations',
  shared: 'annotations',
  query: {
    ...rangeEntries,
    automatic: v.optional(
      v.pipe(v.boolean(), v.description('1: only those of the service; 0: only those by hand. Default: both.')),
    ),
  },
  data: v.array(annotationSchema),
  metrics: [],
  run: async ({ query: { automatic }, range: { from, to }, read, context, now, language, shared }) => {
    const { zone, imported, zoneChanges } = context
    const bounds = boundsOf(zone, from, to)
    const [own, [first], [raw], changes, days, suspects] = await read([
      bindParameters(listQuery, bounds),
      bindParameters(firstViewDayQuery, {}),
      bindParameters(rawFromQuery, {}),
      bindParameters(changesQuery, { start: bounds.start, end: bounds.end }),
      bindParameters(hoursQuery, { from: addDays(from, -daysBefore), to: addDays(to, daysAfter) }),
      bindParameters(suspectsQuery, { from: addDays(from, 1 - suspectDays), to }),
    ])
    const found = automaticOf({
      zone,
      from,
      to,
      now,
      imported,
      zoneChanges,
      rawFrom: raw?.day ?? 0,
      first: first?.day ?? null,
      internal: shared ? null : { changes, days, suspects: context.leavesOut?.() ? [] : suspects },
    })
    const rows = [
      ...(automatic === true ? [] : own.map(row => describe(annotationOf(row), zone))),
      ...(automatic === false ? [] : found.map(one => describeAutomatic(one, language))),
    ]
    return { data: rows.map(row => (shared ? { ...row, by: null } : row)).sort(inOrder) }
  },
})
