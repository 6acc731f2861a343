import { describeGeoip, type GeoipFacts } from './open.ts'
import type { Settings } from '../settings/settings.ts'
import type { FailureKind } from './failure.ts'
import { untried, type PlacesNote, type Which } from './tries.ts'

/** What keeps a newer database away; `retryAt` in seconds since 1970. */
export type Trouble = { which: Which; kind: FailureKind; message: string; retryAt: number | null }

/** What diagnostics tell: the database in use, and what keeps a newer one away. */
export type PlacesState = GeoipFacts & { trouble: Trouble | null }

export const troubleOf = (tries: PlacesNote, wanted: readonly Which[]): Trouble | null => {
  for (const which of wanted) {
    const { error, kind, retryAt } = tries[which]
    if (error !== null && kind !== null) return { which, kind, message: error, retryAt }
  }
  return null
}

/** When the database in use was last known to be the newest. */
export const withUpdate = (facts: GeoipFacts, { updatedAt }: { updatedAt: number | null }): GeoipFacts => ({
  ...facts,
  updatedAt: updatedAt ?? facts.updatedAt,
})

/** The same for a command: from what lies beside the file, and what the service has noted in it. */
export const placesBeside = (
  cityFile: string | null,
  path: string,
  note: PlacesNote | null,
  settings: Settings | null,
): PlacesState => {
  const { origin, facts } = describeGeoip(cityFile, path)
  const tries = note ?? { licensed: untried(), fallback: untried() }
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
