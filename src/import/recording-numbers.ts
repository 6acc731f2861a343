import * as v from 'valibot'
import { installationOf, originsOf } from '../archive/header.ts'
import { type Numbering, type Numbers, numberingWithin } from '../collection/store/numbering.ts'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'
import { addOrigin } from './archive/ids.ts'

const stateSchema = v.object({ visit: v.number(), visitor: v.number() })

/** Numbers of recordings that are imported beside a service: a range for all of them, of which none is given twice. */
export const recordingNumbering = (db: Db): Numbering & { save: () => void } => {
  const name = `${installationOf(db)} recordings`
  const saved = () => loadState(db, 'recording_numbers', stateSchema) ?? { visit: 1, visitor: 1 }
  const next = saved()
  const numbers = (kind: keyof typeof next): Numbers => ({
    next: () => {
      next[kind] += 1
      return next[kind] - 1
    },
    restore: () => {
      next[kind] = saved()[kind]
    },
  })
  return {
    ...numberingWithin(originsOf(db).get(name) ?? addOrigin(db, name), numbers('visit'), numbers('visitor')),
    save: () => saveState(db, 'recording_numbers', next),
  }
}
