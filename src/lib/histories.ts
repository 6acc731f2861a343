/** The programs whose histories can be imported. */
export const historyFormats = [
  'plausible',
  'ga4',
  'umami',
  'goatcounter',
  'koko',
  'matomo',
  'fathom',
  'simple-analytics',
  'wp-statistics',
  'statify',
] as const
export type HistoryFormat = (typeof historyFormats)[number]

/** Sums of days, or single visits. */
export const grains = ['sums', 'visits'] as const
export type Grain = (typeof grains)[number]

/** What days of a source do not know. `visits`: estimated by views or visitors. `bounces`: 0, as nobody knows. */
export const lacks = ['hours', 'visits', 'bounces', 'times', 'entry_pages', 'places', 'devices'] as const
export type Lack = (typeof lacks)[number]
