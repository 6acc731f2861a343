import * as v from 'valibot'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { invalidParam } from '../http/errors.ts'
import { countSchema, dateSchema } from '../http/schemas.ts'
import { whoOf } from '../identity/who.ts'
import type { Importer, ImportJob } from '../import/live/importer.ts'
import { grains, historyFormats, lacks } from '../lib/histories.ts'
import { isZone, parseDay } from '../lib/time.ts'
import type { Context } from './context.ts'

type JobContext = Pick<Context, 'importer' | 'audit'>

const restricted = { can: 'manage_options', tag: 'Operation' } as const

const totalsSchema = v.object({ visitors: countSchema, visits: countSchema, views: countSchema })
const counts = v.record(v.string(), countSchema)
const texts = v.record(v.string(), v.string())

const reportSchema = v.object({
  id: v.pipe(v.nullable(v.number()), v.description('Number of the import, for the undo; null if no day was imported.')),
  format: v.picklist(historyFormats),
  title: v.pipe(v.string(), v.description('Name of the other program.')),
  grain: v.picklist(grains),
  timezone: v.string(),
  source_timezone: v.string(),
  files: v.array(
    v.object({
      file: v.string(),
      table: v.string(),
      recognised_by: v.array(v.string()),
      rows: countSchema,
      other_columns: v.array(v.string()),
    }),
  ),
  ignored_files: v.array(v.string()),
  empty_files: v.array(v.string()),
  rows: countSchema,
  days: countSchema,
  first_day: v.nullable(dateSchema),
  last_day: v.nullable(dateSchema),
  skipped_days: v.pipe(texts, v.description('Days that are left out, by reason.')),
  months: v.pipe(
    v.array(v.object({ month: v.string(), source: totalsSchema, here: totalsSchema, reasons: v.array(v.string()) })),
    v.description('What the files say next to what is counted here, with the reason for each difference.'),
  ),
  refused_rows: countSchema,
  refused: v.array(v.object({ reason: v.string(), rows: countSchema, lines: v.array(v.string()) })),
  repeated_rows: countSchema,
  not_imported: counts,
  not_counted: counts,
  unknown: counts,
  estimated: v.array(v.string()),
  refused_breakdowns: texts,
  views_beyond_totals: countSchema,
  renamed: v.array(v.object({ kind: v.string(), given: v.string(), kept: v.string() })),
  lacks: v.array(v.picklist(lacks)),
  remarks: v.array(v.string()),
})

const jobSchema = v.object({
  preview: v.pipe(v.boolean(), v.description('Whether nothing is written.')),
  state: v.pipe(
    v.picklist(['idle', 'running', 'paused', 'done', 'stopped', 'failed']),
    v.description('`idle`: there was none since the start of the service.'),
  ),
  phase: v.pipe(v.picklist(['reading', 'writing']), v.description('First the files are read, then days are written.')),
  share: v.pipe(v.number(), v.description('Of the phase, 0 to 1.')),
  rows: v.pipe(countSchema, v.description('Rows that were read.')),
  problem: v.pipe(v.nullable(v.string()), v.description('Why it failed; nothing was imported then.')),
  report: v.nullable(reportSchema),
})
export type ImportJobAnswer = v.InferOutput<typeof jobSchema>

const describe = ({ phase, report, ...job }: ImportJob): ImportJobAnswer => ({
  ...job,
  phase: phase === 'Reading' ? 'reading' : 'writing',
  report: report === null ? null : { ...report, lacks: [...report.lacks], remarks: [...report.remarks] },
})

const none: ImportJobAnswer = {
  preview: false,
  state: 'idle',
  phase: 'reading',
  share: 0,
  rows: 0,
  problem: null,
  report: null,
}

const currentOf = (importer: Importer): ImportJobAnswer => {
  const job = importer.current()
  return job === null ? none : describe(job)
}

const dayOrNull = (date: string | undefined) => (date === undefined ? null : parseDay(date))

/** Imports of files that were sent, beside collection. */
export const importJobEndpoints: readonly Endpoint<JobContext>[] = [
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/imports',
    summary: 'Import files that were sent, or preview that',
    description:
      'As `footfall import` does, in the background, while hits are counted: the program is recognised by the columns, days with data ' +
      'of their own stay as they are. Its days come day by day. The files are removed once they are imported. The same content is ' +
      'imported once; an import that was interrupted goes on. Archives, access logs and recorded requests want the command line.',
    status: 202,
    body: v.strictObject({
      uploads: v.pipe(
        v.array(v.pipe(v.string(), v.maxLength(40))),
        v.minLength(1),
        v.maxLength(200),
        v.description('Ids of files, see /uploads.'),
      ),
      preview: v.pipe(v.optional(v.boolean(), false), v.description('Writes nothing, and says what would come.')),
      format: v.pipe(
        v.optional(v.picklist(['auto', ...historyFormats]), 'auto'),
        v.description('The program; `auto`: by the columns.'),
      ),
      from: v.pipe(v.optional(dateSchema), v.description('The first day.')),
      to: v.pipe(v.optional(dateSchema), v.description('The last day.')),
      site: v.pipe(
        v.optional(v.pipe(v.string(), v.maxLength(200))),
        v.description('Which site of the files, if they have several.'),
      ),
      source_timezone: v.pipe(
        v.optional(v.pipe(v.string(), v.check(isZone, 'No time zone of this name.'))),
        v.description('The zone of times that do not name theirs.'),
      ),
      overlap: v.pipe(
        v.optional(v.picklist(['skip', 'refuse']), 'skip'),
        v.description('Whether days with data are left out, or nothing is imported.'),
      ),
    }),
    output: jobSchema,
    errors: {
      404: ['rest_upload_not_found'],
      409: ['rest_import_busy', 'rest_import_demo', 'rest_upload_incomplete'],
    },
    handle: ({ importer, audit }: JobContext, { body, identity }) => {
      const { uploads, preview, format, site = null, source_timezone: sourceTimezone = null, overlap } = body
      const [from, to] = [dayOrNull(body.from), dayOrNull(body.to)]
      if (from !== null && to !== null && from > to) throw invalidParam('to', 'to must not be before from.')
      const job = importer.start(
        {
          ...{ uploads, preview, from, to, siteId: site, sourceTimezone, overlap },
          format: format === 'auto' ? null : format,
        },
        report => {
          if (report.days > 0) audit.note(whoOf(identity), 'import_done', { format: report.format })
        },
      )
      return { data: describe(job) }
    },
  }),
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/imports/current',
    summary: 'Get the running import, or the last one',
    output: jobSchema,
    handle: ({ importer }: JobContext) => ({ data: currentOf(importer) }),
  }),
  endpoint({
    ...restricted,
    method: 'PUT',
    path: '/imports/current',
    summary: 'Pause the running import, go on with it, or stop it',
    description:
      'One that is stopped keeps the days that it has brought, and goes on when the same files are imported again. One that has ended stays as it is.',
    body: v.strictObject({
      command: v.pipe(v.picklist(['pause', 'run', 'stop']), v.description('`run` goes on.')),
    }),
    output: jobSchema,
    handle: ({ importer }: JobContext, { body: { command } }) => {
      importer.command(command)
      return { data: currentOf(importer) }
    },
  }),
]
