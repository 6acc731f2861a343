// What goals and funnels have in common: saved under a name, changed and removed, each noted in the audit log.
import { noteAction } from '../../audit/audit.ts'
import type { Db } from '../../database/query.ts'
import { ApiError, invalidParam } from '../../http/errors.ts'
import { type Clock, toSeconds } from '../../lib/time.ts'
import { withUniqueName } from '../unique-name.ts'

/** `isSame` says whether the numbers stay the same; only then is a row updated. */
type Store<Item, Given> = {
  noun: 'goal' | 'funnel'
  max: number
  list: () => Item[]
  insert: (given: Given, createdAt: number, before: Item | null) => { id: number } | undefined
  isSame: (before: Item, given: Given) => boolean
  update: (before: Item, given: Given) => void
  remove: (id: number) => void
}

type Named = { name: string }

/** `who` makes a change, for the audit log. An unknown id throws ApiError 404. */
export const createSaved = <Item extends Named & { id: number }, Given extends Named>(
  db: Db,
  clock: Clock,
  { noun, max, list, insert, isSame, update, remove }: Store<Item, Given>,
) => {
  const now = (): number => toSeconds(clock())
  const find = (wanted: number): Item => {
    const found = list().find(({ id }) => id === wanted)
    if (found === undefined)
      throw new ApiError(404, `rest_${noun}_not_found`, `${noun === 'goal' ? 'Goal' : 'Funnel'} not found.`)
    return found
  }
  const insertNew = (given: Given, before: Item | null): Item =>
    find(withUniqueName(noun, given.name, () => insert(given, now(), before))?.id ?? 0)

  return {
    list,
    find,

    /** @throws ApiError 400 for a name that is taken, and beyond the most that can be saved */
    add: (given: Given, who: string | null): Item =>
      db
        .transaction(() => {
          if (list().length >= max)
            throw invalidParam('name', `There are ${max} ${noun}s already, the most that can be saved.`)
          const added = insertNew(given, null)
          noteAction(db, { at: now(), who }, `${noun}_saved`, { name: given.name })
          return added
        })
        .immediate(),

    /**
     * Changes one. If its numbers are others then, it is a new one of another id.
     * @throws ApiError 400 for a name that is taken
     */
    change: (wanted: number, given: Given, who: string | null): Item =>
      db
        .transaction(() => {
          const before = find(wanted)
          noteAction(db, { at: now(), who }, `${noun}_changed`, { name: given.name })
          if (!isSame(before, given)) {
            remove(wanted)
            return insertNew(given, before)
          }
          withUniqueName(noun, given.name, () => update(before, given))
          return find(wanted)
        })
        .immediate(),

    remove: (wanted: number, who: string | null): void =>
      db
        .transaction(() => {
          const { name } = find(wanted)
          remove(wanted)
          noteAction(db, { at: now(), who }, `${noun}_removed`, { name })
        })
        .immediate(),
  }
}
