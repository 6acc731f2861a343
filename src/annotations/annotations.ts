// Annotations by hand: added, changed and removed.
import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import { all, type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { ApiError, invalidParam } from '../http/errors.ts'
import { addDays, type Clock, type Day, toSeconds, type Zone } from '../lib/time.ts'
import sqlText from '../sql/annotation.sql'
import { dayOf, type Kind, kinds, type Moment, momentRule } from './rules.ts'

const sql = statements(sqlText)

const id = { id: v.number() }
const content = {
  at: v.number(),
  whole_day: v.number(),
  text: v.string(),
  kind: v.picklist(kinds),
  link: v.nullable(v.string()),
}
const origin = { created_by: v.nullable(v.string()), created_at: v.number() }
/** The columns of a new one. */
export const annotationColumns = { ...content, ...origin }
const row = v.object({ ...id, ...annotationColumns })
const addQuery = query(sql('add'), v.object(annotationColumns), v.object(id))
const changeQuery = query(sql('change'), v.object({ ...id, ...content }))
const removeQuery = query(sql('remove'), v.object(id))
const findQuery = query(sql('find'), v.object(id), row)
const countQuery = query(sql('count'), none, v.object({ annotations: v.number() }))
/** Those of the days `from` to `to`, which begin at `start` and end at `end`. */
export const listQuery = query(
  sql('list'),
  v.object({ from: v.number(), to: v.number(), start: v.number(), end: v.number() }),
  row,
)

export type AnnotationRow = v.InferOutput<typeof row>

/** `createdAt` in seconds since 1970. */
export type Annotation = Moment & {
  id: number
  text: string
  kind: Kind
  link: string | null
  by: string | null
  createdAt: number
}
/** Without a moment: now for a new one, the former for a change. */
export type NewAnnotation = Pick<Annotation, 'text' | 'kind' | 'link'> & { moment: Moment | null }

export const maxAnnotations = 5000

export const annotationOf = ({ whole_day, created_by, created_at, ...shared }: AnnotationRow): Annotation => ({
  ...shared,
  wholeDay: whole_day === 1,
  by: created_by,
  createdAt: created_at,
})

/** The parameters of `listQuery` for a range of days. */
export const boundsOf = (zone: Zone, from: Day, to: Day) => ({
  from,
  to,
  start: zone.startOf(from),
  end: zone.startOf(addDays(to, 1)),
})

const always = { from: 0, to: 99991231, start: 0, end: Number.MAX_SAFE_INTEGER }

/** Those of a range of days, of all without one, in the order of their days. */
export const listAnnotations = (db: Db, zone: Zone, from?: Day, to?: Day): Annotation[] =>
  all(db, listQuery, {
    ...always,
    ...(from !== undefined && { from, start: zone.startOf(from) }),
    ...(to !== undefined && { to, end: zone.startOf(addDays(to, 1)) }),
  })
    .map(annotationOf)
    .sort((a, b) => dayOf(a, zone) - dayOf(b, zone) || a.id - b.id)

export const countAnnotations = (db: Db): number => get(db, countQuery, {})?.annotations ?? 0

/** `who` makes the change, for the audit log. An unknown id throws ApiError 404. */
export const createAnnotations = (db: Db, zone: Zone, clock: Clock) => {
  const now = (): number => toSeconds(clock())
  const find = (wanted: number): Annotation => {
    const found = get(db, findQuery, { id: wanted })
    if (found === undefined) throw new ApiError(404, 'rest_annotation_not_found', 'Annotation not found.')
    return annotationOf(found)
  }
  const contentOf = ({ moment, text, kind, link }: NewAnnotation, usual: Moment) => {
    const { at, wholeDay } = moment ?? usual
    const problem = momentRule({ at, wholeDay }, zone, now())
    if (problem !== null) throw invalidParam('at', problem)
    return { at, whole_day: Number(wholeDay), text, kind, link }
  }

  return {
    /** @throws ApiError 400 naming `at` for more than a year from now, and `text` beyond 5,000 annotations */
    add: (given: NewAnnotation, who: string | null): Annotation =>
      db
        .transaction(() => {
          if (countAnnotations(db) >= maxAnnotations)
            throw invalidParam('text', `There are ${maxAnnotations} annotations already, the most that can be kept.`)
          const row = { ...contentOf(given, { at: now(), wholeDay: false }), created_by: who, created_at: now() }
          const added = get(db, addQuery, row)
          noteAction(db, { at: now(), who }, 'annotation_added', { text: given.text })
          return find(added?.id ?? 0)
        })
        .immediate(),

    /** @throws ApiError 400 naming `at` for more than a year from now */
    change: (wanted: number, given: NewAnnotation, who: string | null): Annotation =>
      db
        .transaction(() => {
          run(db, changeQuery, { id: wanted, ...contentOf(given, find(wanted)) })
          noteAction(db, { at: now(), who }, 'annotation_changed', { text: given.text })
          return find(wanted)
        })
        .immediate(),

    remove: (wanted: number, who: string | null): void =>
      db
        .transaction(() => {
          const { text } = find(wanted)
          run(db, removeQuery, { id: wanted })
          noteAction(db, { at: now(), who }, 'annotation_removed', { text })
        })
        .immediate(),
  }
}

export type Annotations = ReturnType<typeof createAnnotations>
