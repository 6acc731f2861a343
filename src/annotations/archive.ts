// Annotations by hand as lines of an archive.
import * as v from 'valibot'
import type { LinesByDay } from '../archive/day.ts'
import type { AnnotationLine } from '../archive/lines.ts'
import { type Db, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { dropControls } from '../lib/controls.ts'
import { type Day, dayText, timeText, toSeconds, type Zone } from '../lib/time.ts'
import sqlText from '../sql/annotation-archive.sql'
import { type Annotation, annotationColumns, countAnnotations, listAnnotations, maxAnnotations } from './annotations.ts'
import { dayOf, kinds, linkRule, readMoment, textRule } from './rules.ts'

const sql = statements(sqlText)

const restoreQuery = query(sql('annotation.restore'), v.object(annotationColumns))

const maxWho = 200

const lineOf = ({ at, wholeDay, text, kind, link, by, createdAt }: Annotation, day: Day): AnnotationLine => ({
  type: 'annotation',
  day: dayText(day),
  at: wholeDay ? dayText(at) : timeText(at),
  text,
  kind,
  link,
  by,
  created_at: timeText(createdAt),
})

/** The annotations of a range of days. */
export const annotationsByDay = (db: Db, zone: Zone, from: Day, to: Day): LinesByDay => {
  const byDay = Map.groupBy(listAnnotations(db, zone, from, to), annotation => dayOf(annotation, zone))
  return {
    days: [...byDay.keys()],
    linesOf: day => (byDay.get(day) ?? []).map(annotation => lineOf(annotation, day)),
  }
}

/**
 * Stores an annotation of an archive unless the same is there. Anyone may have written the line, so the rules of the API
 * apply.
 * @returns what is wrong with it, or null
 */
export const restoreAnnotation = (db: Db, zone: Zone, day: Day, line: AnnotationLine): string | null => {
  const { text, link, by } = line
  const moment = readMoment(line.at)
  const kind = kinds.find(one => one === line.kind)
  if (moment === null || dayOf(moment, zone) !== day) return 'an annotation is not of this day'
  if (kind === undefined || textRule(text) !== null || (link !== null && linkRule(link) !== null))
    return 'an annotation is not valid'
  run(db, restoreQuery, {
    at: moment.at,
    whole_day: Number(moment.wholeDay),
    text,
    kind,
    link,
    created_by: by === null ? null : dropControls(by).slice(0, maxWho),
    created_at: toSeconds(Date.parse(line.created_at)),
  })
  return countAnnotations(db) > maxAnnotations ? `there would be more than ${maxAnnotations} annotations` : null
}
