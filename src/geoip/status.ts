import type { Settings } from '../settings/settings.ts'
import type { FailureKind } from './failure.ts'
import { describeGeoip, type GeoipFacts } from './open.ts'
import { type GeoipTries, untried, type Which } from './tries.ts'

/** Why there is no newer database; `retryAt` in seconds since 1970. */
export type Trouble = { which: Which; kind: FailureKind; message: string; retryAt: number | null }

/** For diagnostics: the database in use, and why there is no newer one. */
export type GeoipStatus = GeoipFacts & { trouble: Trouble | null }

export const troubleOf = (tries: GeoipTries, wanted: readonly Which[]): Trouble | null => {
  for (const which of wanted) {
    const { error, kind, retryAt } = tries[which]
    if (error !== null && kind !== null) return { which, kind, message: error, retryAt }
  }
  return null
}

/** Sets when the database in use was last confirmed to be the newest. */
export const withUpdate = (facts: GeoipFacts, { updatedAt }: { updatedAt: number | null }): GeoipFacts => ({
  ...facts,
  updatedAt: updatedAt ?? facts.updatedAt,
})

/** The status for a command, from the downloaded databases and the attempts that the service has saved. */
export const readGeoipStatus = (
  cityFile: string | null,
  path: string,
  saved: GeoipTries | null,
  settings: Settings | null,
): GeoipStatus => {
  const { origin, facts } = describeGeoip(cityFile, path)
  const tries = saved ?? { licensed: untried(), fallback: untried() }
  const isOn = cityFile === null && settings !== null && settings.geoip_enabled
  const wanted = (['licensed', 'fallback'] as const).filter(
    which =>
      isOn &&
      (which === 'licensed' ? settings.geoip_license_key !== '' : origin !== 'licensed' && tries.fallback.mark !== ''),
  )
  return {
    ...(origin === 'licensed' || origin === 'fallback' ? withUpdate(facts, tries[origin]) : facts),
    trouble: troubleOf(tries, wanted),
  }
}
