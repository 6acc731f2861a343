import { statSync } from 'node:fs'
import { openGeoipFiles } from './open.ts'
import type { State } from './state.ts'

/** The owner's own file of --geoip-city. */
export type CityFile = {
  /** Whether it has changed since it was read. A file that is still being written changes between two calls: it is not ready. */
  hasChanged: () => boolean
  /** Reads it again if it has changed. */
  reread: () => string
}

export const watchCityFile = (state: State): CityFile => {
  const { cityFile, path } = state
  const changedAt = (): number =>
    cityFile === null ? 0 : (statSync(cityFile, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  let readAt = changedAt()
  let seenAt = readAt
  return {
    hasChanged: () => {
      const [before, at] = [seenAt, changedAt()]
      seenAt = at
      return at !== readAt && at === before
    },
    reread: () => {
      if (changedAt() === readAt) return 'The file of --geoip-city has not changed; nothing else is downloaded.'
      readAt = changedAt()
      const { opened, error } = openGeoipFiles(cityFile, path)
      state.problem = error
      if (opened === null)
        throw new Error(
          `The file of --geoip-city cannot be used: ${error}.${state.opened === null ? '' : ' The one read before stays in use.'}`,
        )
      state.opened = opened
      return 'The file of --geoip-city was read again.'
    },
  }
}
