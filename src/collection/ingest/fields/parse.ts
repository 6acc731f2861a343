import type { Incoming } from '../../record.ts'
import { isInvalid, type Body, type InvalidFields } from './common.ts'
import { parseEngagement, type EngagementFields } from './engagement.ts'
import { parseEvent, type EventFields } from './event.ts'
import { parseHit, type HitFields } from './hit.ts'

/** A body that was read, by its kind. */
export type Parsed =
  | { kind: 'hit'; fields: HitFields }
  | { kind: 'event'; fields: EventFields }
  | { kind: 'engagement'; fields: EngagementFields }

/** Reads a body; what is wrong with it where it cannot be used. */
export const parse = ({ kind }: Incoming, body: Body, keep: readonly string[]): Parsed | InvalidFields => {
  const fields =
    kind === 'hit' ? parseHit(body, keep) : kind === 'event' ? parseEvent(body, keep) : parseEngagement(body, keep)
  // The kind of the fields is that of their parser.
  return isInvalid(fields) ? fields : ({ kind, fields } as Parsed)
}
