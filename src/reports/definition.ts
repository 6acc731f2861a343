// What a report consists of; report.ts makes it one.
import type * as v from 'valibot'
import type { Capability } from '../http/access.ts'
import type { Tag } from '../http/tags.ts'
import type { Comparison, Part } from './compare.ts'
import type { RowComparison } from './compared-rows.ts'
import type { Segment } from './condition.ts'
import type { ReportContext } from './context.ts'
import type { Metric } from './definitions.ts'
import type { Unmatched } from './filters/nearest-values.ts'
import type { PageSlot } from './filters/select.ts'
import type { PartReader } from './read-part.ts'

/** The values of query or path parameters. */
export type Values<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>

type RowOf<Data> = Data extends readonly (infer Row)[] ? Row : never

/** The input of a report's `run`: the part that it covers, and what reads it. */
export type ReportInput<Query extends v.ObjectEntries, Params extends v.ObjectEntries> = Part &
  PartReader & {
    query: Values<Query>
    params: Values<Params>
    /** Whether filters select visits: then single visits are read. */
    filtered: boolean
    /** Whether a caller who must not single visits out has filters of its own. */
    narrowed: boolean
    /** The range to compare with; null without `compare`, and for lists, whose rows are compared for them. */
    comparison: Comparison | null
    /** What reads a part of that range. */
    of: (part: Part) => PartReader
    context: ReportContext
    /** The current time, in seconds. */
    now: number
    language: string
    /** Whether the caller may see only what the filters of a shared link select. */
    limited: boolean
    /** Whether the caller has a shared link, or an application password that is held to filters. */
    shared: boolean
  }

/** `meta` is added to the entries that every report has. */
export type ReportData<Data> = {
  data: Data
  total?: number
  meta?: Record<string, unknown>
  /** Further values that nothing in the file has, in addition to those of filters. */
  unmatched?: readonly Unmatched[]
  earlier?: readonly unknown[]
  columns?: readonly string[]
}

export type ReportDefinition<
  Query extends v.ObjectEntries,
  Params extends v.ObjectEntries,
  Data extends v.GenericSchema,
> = {
  path: string
  summary: string
  description?: string
  query: Query
  params?: Params
  data: Data
  errors?: Readonly<Record<number, readonly string[]>>
  /** Metrics of the data, explained in meta. */
  metrics: readonly Metric[]
  /** Fields that are explained by a metric of another name: field → metric. */
  named?: Readonly<Record<string, Metric>>
  tag?: Tag
  /** By default `footfall_view_reports`. */
  can?: Capability
  /** Further entries of meta. */
  meta?: v.ObjectEntries
  list?: boolean
  /** Reads orders, which are kept when single visits are deleted, and which no shared link shows. */
  ofOrders?: true
  /** The report takes `compare`: how its rows are compared. Their schema has `comparedFields`. */
  compared?: RowComparison<RowOf<v.InferOutput<Data>>, Values<Query>>
  /** Shown by shared links without filters, or by those that show annotations; a report with segments by all of them. */
  shared?: 'unfiltered' | 'annotations'
  /** Shows goals or funnels: of share links only those that may. */
  goals?: true
  /** Reads the filters from the query; null for all visits. */
  segment?: (query: Values<Query>, params: Values<Params>) => Segment | null
  /** The fields of the row that takes the place of those of too few visits, for share links; null leaves it out. */
  few?: (row: RowOf<v.InferOutput<Data>>) => Partial<RowOf<v.InferOutput<Data>>> | null
  /** Which pages of visits it lists that can be others than those that a share link shows. */
  lists?: (query: Values<Query>, params: Values<Params>) => PageSlot | null
  run: (input: ReportInput<Query, Params>) => Promise<ReportData<v.InferOutput<Data>>>
}
