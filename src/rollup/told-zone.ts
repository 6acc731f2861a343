import * as v from 'valibot'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'
import { zoneName } from '../lib/locale.ts'
import { findZone } from './zone.ts'

/** `taken`: whether it is the file's as well. */
const schema = v.object({ timezone: v.string(), taken: v.boolean() })

const load = (db: Db): v.InferOutput<typeof schema> | null => loadState(db, 'wordpress_zone', schema)

const isSame = (one: string, other: string): boolean => one === other || zoneName(one) === zoneName(other)

/** WordPress has an offset for a site that names no place; without any, it is UTC. */
export const zoneOfWordPress = (text: string): string => (/^[+-]00:00$/.test(text) ? 'UTC' : text)

/** The time zone of WordPress as its plugin says; null if none has. */
export const wordPressZone = (db: Db): string | null => load(db)?.timezone ?? null

/** The same, if days are to be counted by it. */
export const takenZone = (db: Db): string | null => {
  const told = load(db)
  return told?.taken === true ? told.timezone : null
}

/** Whether WordPress' days are others than those of a zone. */
export const differsFromWordPress = (db: Db, timezone: string): boolean => {
  const told = wordPressZone(db)
  return told !== null && !isSame(told, timezone)
}

/**
 * Saves the time zone of WordPress. The file takes it over if it has none of its own: neither by --timezone, nor one that
 * is not the default and did not come from WordPress.
 * @param option the value of --timezone
 */
export const saveWordPressZone = (db: Db, timezone: string, option: string | null): void => {
  const own = findZone(db) ?? 'UTC'
  const taken = takenZone(db)
  const isFree = isSame(own, 'UTC') || (taken !== null && isSame(taken, own))
  saveState(db, 'wordpress_zone', { timezone, taken: option === null && isFree })
}
