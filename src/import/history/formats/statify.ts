import type { Format } from '../format.ts'
import { dayIn } from '../row.ts'

export const statify: Format = {
  name: 'statify',
  grain: 'sums',
  tables: [
    {
      name: 'statify',
      key: ['id', 'created', 'referrer', 'target'],
      once: ['id'],
      read: (row, to) => {
        const day = dayIn(row, 'created')
        const one = { visitors: 1, sessions: 1, views: 1 }
        to.site(day, one)
        to.page(day, row.get('target'), one)
        if (row.get('referrer') !== '') to.source(day, { referrer: row.get('referrer') }, one)
      },
    },
  ],
  totals: ['statify'],
  lacks: ['hours', 'visits', 'bounces', 'times', 'entry_pages', 'places', 'devices'],
  remarks: [
    'Statify counts views only: each is a visit and a visitor here.',
    'Views without a referrer count as Direct.',
  ],
}
