import { statSync } from 'node:fs'
import { openGeoipFiles } from './open.ts'
import type { State } from './state.ts'

/** The city database of --geoip-city. */
export type CityFile = {
  /** Whether it has changed since it was read, but not since the last call: it may still be being written. */
  hasChanged: () => boolean
  /** Reads it again if it has changed. */
  reread: () => string
}

export const watchCityFile = (state: State): CityFile => {
  const { cityFile, path } = state
  const modifiedAt = (): number =>
    cityFile === null ? 0 : (statSync(cityFile, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  let readAt = modifiedAt()
  let checkedAt = readAt
  return {
    hasChanged: () => {
      const [before, at] = [checkedAt, modifiedAt()]
      checkedAt = at
      return at !== readAt && at === before
    },
    reread: () => {
      if (modifiedAt() === readAt) return 'The file of --geoip-city has not changed; no other database is downloaded.'
      readAt = modifiedAt()
      const { opened, error } = openGeoipFiles(cityFile, path)
      state.problem = error
      if (opened === null)
        throw new Error(
          `The file of --geoip-city cannot be used: ${error}.` +
            (state.opened === null ? '' : ' The previous version stays in use.'),
        )
      state.opened = opened
      return 'The file of --geoip-city was read again.'
    },
  }
}
