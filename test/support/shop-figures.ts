// The figures of the revenue reports, by the names of test/support/shop-model.ts.
import * as assert from 'uvu/assert'
import type { shopOf } from './shop.ts'
import { digits } from './shop-model.ts'

/** The reports' figures by the names of the model, without zeroes. */
export const figures = async (
  { report }: ReturnType<typeof shopOf>,
  currency: string,
  from: string,
  to: string,
): Promise<Map<string, bigint>> => {
  const ask = (name: string, more = ''): Promise<any> =>
    report(name, `currency=${currency}&from=${from}&to=${to}${more}`)
  const scale = 10 ** (digits[currency] ?? 2)
  const found = new Map<string, bigint>()
  const whole = (key: string, value: number): void => {
    if (value !== 0) found.set(key, BigInt(value))
  }
  const money = (key: string, value: number): void => whole(key, Math.round(value * scale))
  const units = (key: string, value: number): void => whole(key, Math.round(value * 1e6))
  /** Nothing has no mean. */
  const mean = (key: string, value: number | null): void => {
    if (value !== null) money(key, value)
  }
  const rate = (key: string, value: number | null): void => {
    if (value !== null) whole(key, Math.round(value * 10_000))
  }

  const summary = await ask('summary')
  whole('orders', summary.orders)
  money('gross', summary.gross_revenue)
  money('net', summary.net_revenue)
  money('tax', summary.tax_total)
  money('shipping', summary.shipping_total)
  money('refunded', summary.refund_total)
  mean('mean', summary.average_order_value)
  rate('refund rate', summary.refund_rate)
  assert.is(
    Math.round(summary.tax_and_shipping * scale),
    Math.round(summary.tax_total * scale) + Math.round(summary.shipping_total * scale),
  )
  for (const { date, orders, revenue, gross_revenue } of await ask('timeseries')) {
    whole(`day ${date} orders`, orders)
    money(`day ${date} net`, revenue)
    money(`day ${date} gross`, gross_revenue)
  }
  for (const { date, orders, revenue } of await ask('timeseries', '&interval=month')) {
    whole(`month ${date.slice(0, 7)} orders`, orders)
    money(`month ${date.slice(0, 7)} net`, revenue)
  }
  const group = (
    name: string,
    { orders, revenue, average_order_value }: { orders: number; revenue: number; average_order_value: number | null },
  ): void => {
    whole(`${name} orders`, orders)
    money(`${name} net`, revenue)
    mean(`${name} mean`, average_order_value)
  }
  for (const { channel, share, ...row } of await ask('by-channel')) {
    group(`channel ${channel}`, row)
    rate(`channel ${channel} share`, share)
  }
  for (const { landing_page, ...row } of await ask('by-landing')) group(`landing ${landing_page}`, row)
  for (const { utm_source, utm_medium, utm_campaign, ...row } of await ask('by-utm'))
    group(`utm ${utm_source}|${utm_medium}|${utm_campaign}`, row)
  const { stages, overall_conversion } = await ask('funnel')
  assert.equal(
    [stages.map(({ sessions }: any) => sessions), overall_conversion],
    [[0, 0, 0, summary.orders], summary.orders === 0 ? null : 1],
  )
  for (const { code, orders, discount_total, net_revenue } of await ask('coupons')) {
    whole(`coupon ${code} orders`, orders)
    money(`coupon ${code} discount`, discount_total)
    money(`coupon ${code} net`, net_revenue)
  }
  for (const product of await ask('products', '&limit=100')) {
    units(`product ${product.product_id} units`, product.units)
    money(`product ${product.product_id} net`, product.revenue)
    units(`product ${product.product_id} refunded units`, product.refunded_units)
    money(`product ${product.product_id} refunded`, product.refunded_revenue)
    for (const variant of product.variants) {
      units(`variant ${variant.variation_id} of ${product.product_id} units`, variant.units)
      money(`variant ${variant.variation_id} of ${product.product_id} net`, variant.revenue)
    }
  }
  const { trend, products } = await ask('refunds')
  for (const { date, refunds, refund_total, gross_revenue, refund_rate } of trend) {
    whole(`refund ${date} count`, refunds)
    money(`refund ${date} amount`, refund_total)
    rate(`refund ${date} rate`, refund_rate)
    assert.is(BigInt(Math.round(gross_revenue * scale)), found.get(`day ${date} gross`) ?? 0n)
  }
  for (const { product_id, units: given, amount } of products) {
    units(`returned ${product_id} units`, given)
    money(`returned ${product_id} amount`, amount)
  }
  return found
}

export const sorted = (bag: ReadonlyMap<string, bigint>): string[] =>
  [...bag].map(([key, value]) => `${key}: ${value}`).sort()
