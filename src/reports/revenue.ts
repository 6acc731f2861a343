import * as v from 'valibot'
import { query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { invalidParam } from '../http/errors.ts'
import { isoCode, writtenCurrency } from '../lib/money-text.ts'
import { periodsWithin } from '../lib/period.ts'
import { digitsOf, divide, toMajor } from '../shop/money.ts'
import sqlText from '../sql/revenue.sql'
import type { Segment } from './condition.ts'
import type { ReportContext } from './context.ts'
import type { ReportData, ReportDefinition, ReportInput } from './definition.ts'
import { filterOf, type OrderFilterKey, orderFilterKeys } from './filters/table.ts'
import { bindParameters, type Read } from './pool.ts'
import type { Range } from './range.ts'
import { report, type TypedReport } from './report.ts'
import { type Filters, filterSchema, readSegment, segmentEntry } from './segment.ts'

// The filters of orders: by where they came from. Nothing else is known of an order's visitor.

const keySchema = (key: OrderFilterKey) => v.optional(filterSchema(key, filterOf(key).ofOrders ?? ''))

const keyEntries = Object.fromEntries(orderFilterKeys.map(key => [key, keySchema(key)])) as Record<
  OrderFilterKey,
  ReturnType<typeof keySchema>
>

/** Query entries of a report about orders. */
const orderFilterEntries = { ...keyEntries, segment: segmentEntry }

const known: readonly string[] = orderFilterKeys

/**
 * The segment of a report about orders.
 * @throws ApiError 400 for a saved segment with a filter that orders cannot be selected by
 */
const readOrderSegment = (query: object & { readonly saved?: readonly Filters[] }): Segment | null => {
  const other = (query.saved ?? []).flatMap(Object.keys).find(key => !known.includes(key))
  if (other !== undefined)
    throw invalidParam(
      'segment',
      `The segment filters by ${other}, which is not known of orders. They are filtered by ${known.join(', ')}.`,
    )
  return readSegment(query)
}

const sql = statements(sqlText)

/** Sums of amounts are text: they may exceed what a number represents exactly. */
export const sumColumn = v.string()
/** The parameters of every statement over revenue rollups. */
export const within = { currency: v.string(), periods: v.string() }
export type Within = { currency: string; periods: string }
export const daysWithin = { currency: v.string(), from: v.number(), to: v.number() }

export const moneySchema = v.pipe(v.number(), v.description('In major units of the currency in meta.'))
/** The mean of no values is null. */
export const meanSchema = v.nullable(moneySchema)

/** A fraction of two sums with 4 decimals; null if the divisor is 0. */
export const exactRatio = (part: bigint, whole: bigint): number | null =>
  whole === 0n ? null : Number(divide(part * 10_000n, whole)) / 10_000

/** Amounts of one currency, from sums in minor units. */
export type Money = {
  amount: (sum: string | bigint) => number
  /** Rounded half away from zero to the minor unit; null if `count` is 0. */
  mean: (sum: string | bigint, count: number) => number | null
}

const moneyOf = (digits: number): Money => ({
  amount: sum => toMajor(BigInt(sum), digits),
  mean: (sum, count) => (count === 0 ? null : toMajor(divide(BigInt(sum), BigInt(count)), digits)),
})

const unitScale = 6
/** Converts a sum in millionths to units. */
export const units = (sum: string): number => toMajor(BigInt(sum), unitScale)

const currencyEntry = {
  currency: v.optional(
    v.pipe(
      v.string(),
      v.regex(writtenCurrency),
      v.description(
        "Code of the currency to report. Default: the site's if it is set, the shop's, or else the one with the most " +
          'counted orders.',
      ),
    ),
  ),
}

const currenciesQuery = query(
  sql('currencies'),
  v.object({ from: v.number(), to: v.number() }),
  v.object({ currency: v.string(), is_shops: v.number(), in_range: v.number() }),
)

const readCurrencies = async (read: Read, { from, to }: Range): Promise<v.InferOutput<typeof currenciesQuery.row>[]> =>
  (await read([bindParameters(currenciesQuery, { from, to })]))[0]

type Chooser = Pick<ReportContext, 'currency' | 'read'>

const usualCurrency = (known: readonly v.InferOutput<typeof currenciesQuery.row>[]): string | null =>
  known.find(one => one.is_shops === 1)?.currency ?? known[0]?.currency ?? null

/** The currency that reports of a range are in; null if the site has chosen none and there are no orders. */
export const readCurrency = async ({ currency, read }: Chooser, range: Range): Promise<string | null> =>
  currency ?? usualCurrency(await readCurrencies(read, range))

const meta = {
  currency: v.nullable(v.string()),
  currency_minor_unit: v.nullable(v.number()),
  other_currencies: v.pipe(
    v.array(v.string()),
    v.description('Other currencies with counted orders in the range; their orders are not included.'),
  ),
}

export type RevenueInput<Query extends v.ObjectEntries> = ReportInput<Query, Record<never, never>> & {
  money: Money
  currency: string
  /** The parameters for the currency and a range, by default the report's. */
  within: (range?: Range) => Within
}

type RevenueDefinition<Query extends v.ObjectEntries, Data extends v.GenericSchema> = Pick<
  ReportDefinition<Query, Record<never, never>, Data>,
  'path' | 'summary' | 'description' | 'query' | 'data' | 'metrics' | 'named' | 'list' | 'compared' | 'meta'
> & {
  /** Whether it takes the filters of orders. */
  filters: boolean
  run: (input: RevenueInput<Query>) => Promise<ReportData<v.InferOutput<Data>>>
}

/** Defines a revenue report: it covers one currency and lists the others in meta. */
export const revenueReport = <Query extends v.ObjectEntries, Data extends v.GenericSchema>(
  definition: RevenueDefinition<Query, Data>,
): TypedReport<Query & typeof currencyEntry, Record<never, never>, Data> =>
  report<Query & typeof currencyEntry, Data>({
    ...definition,
    tag: 'Revenue',
    ofOrders: true,
    ...(definition.filters && { segment: readOrderSegment }),
    query: { ...definition.query, ...currencyEntry, ...(definition.filters && orderFilterEntries) },
    meta: { ...meta, ...definition.meta },
    run: async input => {
      const { range } = input
      const known = await readCurrencies(input.read, range)
      // The query was validated by the schema above.
      const chosen = (input.query as { currency?: string }).currency?.toUpperCase()
      if (chosen !== undefined && !isoCode.test(chosen) && known.every(one => one.currency !== chosen))
        throw invalidParam('currency', `The shop has no orders in ${chosen}.`)
      const currency = chosen ?? input.context.currency ?? usualCurrency(known)
      const result = await definition.run({
        ...(input as ReportInput<Query, Record<never, never>>),
        money: moneyOf(digitsOf(currency ?? '')),
        currency: currency ?? '',
        within: (other = range) => ({ currency: currency ?? '', periods: JSON.stringify(periodsWithin(other)) }),
      })
      return {
        ...result,
        meta: {
          ...result.meta,
          currency,
          currency_minor_unit: currency === null ? null : digitsOf(currency),
          other_currencies: known
            .filter(one => one.in_range === 1 && one.currency !== currency)
            .map(one => one.currency)
            .sort(),
        },
      }
    },
  })
