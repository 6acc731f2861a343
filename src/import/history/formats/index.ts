import type { Format } from '../format.ts'
import { fathom } from './fathom.ts'
import { ga4 } from './ga4.ts'
import { goatcounter } from './goatcounter.ts'
import { koko } from './koko.ts'
import { matomo } from './matomo.ts'
import { plausible } from './plausible.ts'
import { simpleAnalytics } from './simple-analytics.ts'
import { statify } from './statify.ts'
import { umami } from './umami.ts'
import { wpStatistics, wpStatisticsSums } from './wp-statistics.ts'

/** Of two that fit equally well, the first is taken. */
export const formats: readonly Format[] = [
  plausible,
  ga4,
  umami,
  goatcounter,
  koko,
  matomo,
  fathom,
  simpleAnalytics,
  wpStatistics,
  wpStatisticsSums,
  statify,
]
