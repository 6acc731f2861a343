import type { Observation } from '../../../collection/ingest/clients.ts'
import type { GeoipStatus } from '../../../geoip/status.ts'
import type { Status } from '../../result.ts'
import type { Content, FileFacts } from '../file.ts'

/**
 * What findings are made from; times in seconds since 1970.
 * - storage: why the file cannot be written; null where it can, or that is not known
 * - inPlace: false where the file was deleted or moved away while the service runs
 * - running: a service has the file open
 * - anyHost: no host of the site is set; null where that is not known
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

/** What is wrong, as a sentence, and the next step. `status` where it is another than the rule's own. */
export type Problem = { message: string; fix: string; status?: Status }

/** What may be wrong: `find` gives the problem, several of them, or false. */
export type Rule<Input extends unknown[] = [facts: Facts, content: Content]> = {
  id: string
  status: Exclude<Status, 'ok'>
  find: (...input: Input) => Problem | Problem[] | false
}

export const day = 86_400
