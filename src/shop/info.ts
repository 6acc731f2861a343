import * as v from 'valibot'
import { type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { writtenCurrency } from '../lib/money-text.ts'
import sqlText from '../sql/shop-info.sql'
import type { ShopClient } from './client.ts'
import { ShopError } from './errors.ts'

const sql = statements(sqlText)

const flag = v.nullable(v.number())
const saveQuery = query(
  sql('save'),
  v.object({
    woocommerce_version: v.nullable(v.string()),
    currency: v.nullable(v.string()),
    hpos_enabled: flag,
    attribution_enabled: flag,
    checked_at: v.number(),
  }),
)
const checkedQuery = query(sql('checked'), none, v.object({ checked_at: v.nullable(v.number()) }))

/** Values of an unexpected type count as unknown. */
const textOrNull = v.fallback(v.nullish(v.string(), null), null)
const flagOrNull = v.fallback(v.nullish(v.boolean(), null), null)
const listOrNull = v.fallback(v.nullish(v.array(v.string()), null), null)

const statusSchema = v.object({
  environment: v.optional(v.object({ version: textOrNull }), {}),
  settings: v.optional(
    v.object({
      currency: textOrNull,
      HPOS_enabled: flagOrNull,
      order_datastore: textOrNull,
      enabled_features: listOrNull,
    }),
    {},
  ),
})

const optionSchema = v.looseObject({ value: v.string() })

const toFlag = (value: boolean | null): number | null => (value === null ? null : Number(value))

/** What the shop says of itself; null where it is not known. */
export type ShopInfo = {
  woocommerce_version: string | null
  currency: string | null
  hpos_enabled: boolean | null
  attribution_enabled: boolean | null
}

export const saveShopInfo = (db: Db, info: ShopInfo, now: number): void => {
  run(db, saveQuery, {
    ...info,
    hpos_enabled: toFlag(info.hpos_enabled),
    attribution_enabled: toFlag(info.attribution_enabled),
    checked_at: now,
  })
}

/** When the shop's information was last fetched, in seconds since 1970; null if never. */
export const infoCheckedAt = (db: Db): number | null => get(db, checkedQuery, {})?.checked_at ?? null

/** The setting exists even in versions that do not list their features. */
const attributionSetting = async (client: ShopClient, signal: AbortSignal): Promise<boolean | null> => {
  const answer = await client
    .get('settings/advanced/woocommerce_feature_order_attribution_enabled', {}, signal)
    .catch((error: unknown) => {
      if (error instanceof ShopError) return null
      throw error
    })
  const option = v.safeParse(optionSchema, answer?.body)
  return option.success ? option.output.value === 'yes' : null
}

/**
 * Fetches and stores the shop's version and settings. Unknown values are null: the key may be limited to orders.
 * @throws ShopError if the request fails
 */
export const refreshInfo = async (
  db: Db,
  client: ShopClient,
  now: () => number,
  signal: AbortSignal,
): Promise<void> => {
  const answer = await client.get('system_status', { _fields: 'environment,settings' }, signal)
  const parsed = v.safeParse(statusSchema, answer.body)
  const { environment, settings } = parsed.success ? parsed.output : v.parse(statusSchema, {})
  const features = settings.enabled_features
  const attribution =
    features === null ? await attributionSetting(client, signal) : features.includes('order_attribution')
  const isHpos =
    settings.HPOS_enabled ??
    (settings.order_datastore === null ? null : settings.order_datastore.endsWith('OrdersTableDataStore'))
  const currency =
    settings.currency !== null && writtenCurrency.test(settings.currency) ? settings.currency.toUpperCase() : null
  const info = {
    woocommerce_version: environment.version,
    currency,
    hpos_enabled: isHpos,
    attribution_enabled: attribution,
  }
  saveShopInfo(db, info, now())
}
