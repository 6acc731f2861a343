// The breakdowns of orders, as data.
import type { TextKey } from '../app/texts.ts'
import { type Breakdown, type Column, text } from './breakdown.ts'

const count = (key: TextKey): Column => ({ key, kind: 'count', label: key })
const share: Column = { key: 'share', kind: 'percent', label: 'share' }
type Columns = Breakdown['columns']

const money = (key: TextKey): Column => ({ key, kind: 'money', label: key })
const orders: Columns = [
  money('revenue'),
  count('orders'),
  money('average_order_value'),
  count('sessions'),
  { key: 'conversion_rate', kind: 'percent', label: 'conversion_rate' },
  money('revenue_per_session'),
]
const beside = ['sessions', 'conversion_rate', 'revenue_per_session']

const ofOrders = (
  id: string,
  label: TextKey,
  path: string,
  key: string | readonly string[],
  columns: Columns,
  name: Breakdown['name'],
): Breakdown => ({
  id,
  panel: 'orders',
  label,
  path: `/revenue/${path}`,
  key,
  name,
  columns,
  empty: 'empty_orders',
  ofOrders: true,
})

export const orderBreakdowns: readonly Breakdown[] = [
  {
    ...ofOrders('order_channels', 'channels', 'by-channel', 'channel', [...orders, share], (row, { t }) =>
      t.maybe(`channel_${text(row, 'channel')}`, text(row, 'channel') ?? ''),
    ),
    filter: 'channel',
    beside,
  },
  {
    ...ofOrders(
      'order_campaigns',
      'campaigns',
      'by-utm',
      ['utm_campaign', 'utm_source', 'utm_medium'],
      orders,
      (row, { t }) => text(row, 'utm_campaign') ?? t('unknown'),
    ),
    note: row => ['utm_source', 'utm_medium'].flatMap(key => text(row, key) ?? []).join(' / '),
    filter: 'utm_campaign',
    beside,
  },
  {
    ...ofOrders(
      'landing_pages',
      'landing_pages',
      'by-landing',
      'landing_page',
      orders,
      (row, { t }) => text(row, 'landing_page') ?? t('unknown'),
    ),
    filter: 'entry_page',
    beside,
  },
  {
    ...ofOrders(
      'products',
      'products',
      'products',
      'product_id',
      [
        money('revenue'),
        count('units'),
        { ...count('refunded_units'), lowerIsBetter: true },
        { ...money('refunded_revenue'), lowerIsBetter: true },
      ],
      row => text(row, 'name') ?? '',
    ),
    maxRows: 100,
  },
  ofOrders(
    'coupons',
    'coupons',
    'coupons',
    'code',
    [count('orders'), money('discount_total'), money('net_revenue')],
    row => text(row, 'code') ?? '',
  ),
]
