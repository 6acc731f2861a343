// WooCommerce documents, and helpers to push them to the service.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sendRecord } from './records.ts'
import { firefox, type Running } from './service.ts'

export type Document = Record<string, unknown>

/** A real document, as returned by `GET wc/v3/…`. */
export const sample = <T = Document>(name: string): T =>
  JSON.parse(readFileSync(join(process.cwd(), 'test/fixtures/woocommerce', `${name}.json`), 'utf8')) as T

export const simple = (): Document => sample('order-simple-coupon-attribution')
export const variable = (): Document => sample('order-variable-partial-refund')
export const late = (): Document => sample('order-subscription-renewal-late')

let next = 100_000

/** An order with one line; `given` overrides its fields. */
export const order = (given: Document = {}): Document => ({
  id: next++,
  status: 'completed',
  currency: 'EUR',
  date_created_gmt: '2026-03-10T10:00:00',
  date_modified_gmt: '2026-03-10T10:00:05',
  date_paid_gmt: '2026-03-10T10:00:03',
  total: '12.00',
  total_tax: '2.00',
  shipping_total: '0.00',
  line_items: [line()],
  coupon_lines: [],
  fee_lines: [],
  shipping_lines: [],
  refunds: [],
  meta_data: [],
  billing: { first_name: 'Ada', email: 'ada@example.org' },
  ...given,
})

export const line = (given: Document = {}): Document => ({
  id: 1,
  name: 'Mug',
  product_id: 101,
  variation_id: 0,
  quantity: 1,
  total: '10.00',
  total_tax: '2.00',
  parent_name: null,
  ...given,
})

/** WooCommerce's order attribution metadata. */
export const meta = (values: Record<string, string>): { key: string; value: string }[] =>
  Object.entries(values).map(([key, value]) => ({ key: `_wc_order_attribution_${key}`, value }))

/** Sends an event from an address. */
export const sendEvent = async (
  { service }: Pick<Running, 'service'>,
  event: Document,
  address = '203.0.113.7',
): Promise<void> => {
  const headers = { 'content-type': 'application/json', 'user-agent': firefox, 'x-forwarded-for': address }
  const { status } = await sendRecord(`${service.url}/analytics/v1/event`, {
    method: 'POST',
    body: JSON.stringify(event),
    headers,
  })
  if (status !== 204) throw new Error(`event: ${status}`)
}

const range = 'from=2026-03-01&to=2026-03-31'

/** Pushes documents and reads revenue reports of March 2026. */
export const shopOf = ({ api }: Pick<Running, 'api'>) => ({
  push: async (...documents: unknown[]): Promise<string[]> => {
    const { status, body } = await api('/orders', {
      method: 'POST',
      body: JSON.stringify(documents),
      headers: { 'content-type': 'application/json' },
    })
    if (status !== 200) throw new Error(`push: ${status} ${JSON.stringify(body)}`)
    return body.results.map(({ result }: { result: string }) => result)
  },
  report: async (name: string, query = range): Promise<any> => (await api(`/revenue/${name}?${query}`)).body.data,
  meta: async (name: string, query = range): Promise<any> => (await api(`/revenue/${name}?${query}`)).body.meta,
})
