import type { Observation } from '../../../collection/ingest/clients.ts'
import type { GeoipStatus } from '../../../geoip/status.ts'
import type { Status } from '../../result.ts'
import type { Sentence } from '../../sentences.ts'
import type { Content, FileFacts } from '../file.ts'

/**
 * Inputs of the rules; times in seconds since 1970.
 * - storage: why the file cannot be written; null if it can or this is unknown
 * - inPlace: false if the file was deleted or moved while the service runs
 * - running: a service has the file open
 * - anyHost: no host of the site is set; null if unknown
 */
export type Facts = {
  now: number
  file: FileFacts
  integrity: string
  storage: string | null
  inPlace: boolean
  places: GeoipStatus
  running: boolean
  clients: Observation | null
  anyHost: boolean | null
}

/** A problem and its fix. `status` overrides that of the rule. */
export type Problem = { message: Sentence; fix: Sentence; status?: Status }

/** `find` returns the problem, several of them, or false. */
export type Rule<Input extends unknown[] = [facts: Facts, content: Content]> = {
  id: string
  status: Exclude<Status, 'ok'>
  find: (...input: Input) => Problem | Problem[] | false
}

export const day = 86_400
