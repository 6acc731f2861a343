import * as v from 'valibot'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { countSchema, dateSchema, idSchema, timeSchema } from '../http/schemas.ts'
import { whoOf } from '../identity/who.ts'
import type { ListedImport } from '../import/live/imports.ts'
import { grains, historyFormats } from '../lib/histories.ts'
import { dayText, timeText } from '../lib/time.ts'
import type { Context } from './context.ts'

type ImportContext = Pick<Context, 'imports' | 'audit'>

const importSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  format: v.picklist(historyFormats),
  grain: v.pipe(v.picklist(grains), v.description('Sums of days, or single visits.')),
  state: v.pipe(
    v.picklist(['done', 'unfinished', 'undoing', 'undone']),
    v.description('`unfinished`: it was interrupted, and goes on when it is started again.'),
  ),
  from: dateSchema,
  to: dateSchema,
  days: v.pipe(countSchema, v.description('Days that it has brought.')),
  rows: v.pipe(countSchema, v.description('Rows of its files.')),
  refused: v.pipe(countSchema, v.description('Rows that were refused.')),
  started_at: timeSchema,
  finished_at: v.nullable(timeSchema),
  undone_at: v.nullable(timeSchema),
})
export type ImportAnswer = v.InferOutput<typeof importSchema>

const timeOrNull = (second: number | null): string | null => (second === null ? null : timeText(second))

const describe = (stored: ListedImport): ImportAnswer => ({
  id: stored.id,
  format: stored.format,
  grain: stored.grain,
  state: stored.state,
  from: dayText(stored.first_day),
  to: dayText(stored.last_day),
  days: stored.days,
  rows: stored.rows,
  refused: stored.refused,
  started_at: timeText(stored.started_at),
  finished_at: timeOrNull(stored.finished_at),
  undone_at: timeOrNull(stored.undone_at),
})

const restricted = { can: 'manage_options', tag: 'Operation' } as const

/** Histories of other programs, which `footfall import` takes. */
export const importEndpoints: readonly Endpoint<ImportContext>[] = [
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/imports',
    summary: 'List imported histories',
    description: 'The newest first. `footfall import` imports them.',
    output: v.array(importSchema),
    handle: ({ imports }: ImportContext) => ({ data: imports.list().map(describe) }),
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/imports/:id',
    summary: 'Undo an import in the background',
    description: 'Removes everything that it brought, day by day. Its state is `undoing` meanwhile, then `undone`.',
    status: 202,
    params: v.object({ id: idSchema }),
    output: importSchema,
    errors: { 404: ['rest_import_not_found'], 409: ['rest_import_busy', 'rest_import_undone'] },
    handle: ({ imports, audit }: ImportContext, { params: { id }, identity }) => {
      const undoing = imports.undo(id)
      audit.note(whoOf(identity), 'import_undone', { format: undoing.format })
      return { data: describe(undoing) }
    },
  }),
]
