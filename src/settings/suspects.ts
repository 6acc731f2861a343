import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import { type SuspicionRule, suspicionRuleCodes } from '../bots/rules.ts'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'

export const choiceEntries = {
  suspects: v.pipe(
    v.picklist(['count', 'leave_out']),
    v.description('Whether visits that look automated are in the figures, also of days gone by.'),
  ),
  ignored: v.pipe(
    v.array(v.picklist(suspicionRuleCodes)),
    v.description('Rules that do not count: here they meet people.'),
  ),
}

const stored = v.object({
  ...choiceEntries,
  /** Rules that fire for most visits here, since which day. */
  off: v.optional(v.array(v.object({ rule: v.picklist(suspicionRuleCodes), since: v.number() })), []),
  /** False until the visits so far were judged by it. */
  judged: v.optional(v.boolean(), true),
})

/** What is done with visits that look automated. Not one of the ten settings. */
export type SuspectChoice = {
  suspects: 'count' | 'leave_out'
  ignored: readonly SuspicionRule[]
  off: readonly { rule: SuspicionRule; since: number }[]
  judged: boolean
}

const counted: SuspectChoice = { suspects: 'count', ignored: [], off: [], judged: true }
/** What a new file does. */
export const countAll = (): SuspectChoice => counted

export const loadChoice = (db: Db): SuspectChoice => loadState(db, 'suspects', stored) ?? counted

/** From its text in the file; undefined for none. */
export const readChoice = (text: string | undefined): SuspectChoice => {
  const parsed = v.safeParse(stored, text === undefined ? null : JSON.parse(text))
  return parsed.success ? parsed.output : counted
}

export const saveChoice = (db: Db, choice: SuspectChoice): void => {
  saveState(db, 'suspects', choice)
}

export type SuspectStore = {
  current: () => SuspectChoice
  /** Changes what is given, and records who did it. */
  save: (changes: Partial<Pick<SuspectChoice, 'suspects' | 'ignored'>>, who: string | null, at: number) => SuspectChoice
  /** Reads the choice again, which the maintenance thread may have changed. */
  refresh: () => void
}

export const createSuspects = (db: Db): SuspectStore => {
  let choice = loadChoice(db)
  return {
    current: () => choice,
    save: (changes, who, at) => {
      db.transaction(() => {
        const before = loadChoice(db)
        const after = { ...before, ...changes }
        if (isDeepStrictEqual(before, after)) return
        saveChoice(db, { ...after, judged: false })
        const { suspects: from } = before
        noteAction(db, { at, who }, 'suspects_changed', { from, to: after.suspects, rules: after.ignored.join(', ') })
      }).immediate()
      choice = loadChoice(db)
      return choice
    },
    refresh: () => {
      choice = loadChoice(db)
    },
  }
}
