/** The programs whose histories can be imported, under their own names. */
export const historyTitles = {
  plausible: 'Plausible',
  ga4: 'Google Analytics 4',
  umami: 'Umami',
  goatcounter: 'GoatCounter',
  koko: 'Koko Analytics',
  matomo: 'Matomo',
  fathom: 'Fathom',
  'simple-analytics': 'Simple Analytics',
  'wp-statistics': 'WP Statistics',
  statify: 'Statify',
} as const
export type HistoryFormat = keyof typeof historyTitles

export const historyFormats = Object.keys(historyTitles) as HistoryFormat[]

/** Sums of days, or single visits. */
export const grains = ['sums', 'visits'] as const
export type Grain = (typeof grains)[number]

/** What days of a source do not know. `visits`: estimated by views or visitors. `bounces`: 0, as nobody knows. */
export const lacks = ['hours', 'visits', 'bounces', 'times', 'entry_pages', 'places', 'devices'] as const
export type Lack = (typeof lacks)[number]
