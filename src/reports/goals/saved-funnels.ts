// Funnels: saved, changed and removed.
import * as v from 'valibot'
import { noteAction } from '../../audit/audit.ts'
import { all, get, query, run, type Db } from '../../database/query.ts'
import { ApiError, invalidParam } from '../../http/errors.ts'
import { toSeconds, type Clock } from '../../lib/time.ts'
import addFunnel from '../../sql/funnel.add.sql'
import removeFunnel from '../../sql/funnel.remove.sql'
import renameFunnel from '../../sql/funnel.rename.sql'
import { funnelColumns, funnelsQuery, readFunnel, type Funnel, type FunnelDefinition } from './definitions.ts'
import { withUniqueName } from './saved-goals.ts'

const nothing = v.object({})
const id = { id: v.number() }
const addQuery = query(addFunnel, v.object(funnelColumns), v.object(id))
const renameQuery = query(renameFunnel, v.object({ ...id, name: v.string() }), nothing)
const removeQuery = query(removeFunnel, v.object(id), nothing)

const maxFunnels = 20

const sameSteps = (one: FunnelDefinition, other: FunnelDefinition): boolean =>
  one.strict === other.strict && JSON.stringify(one.steps) === JSON.stringify(other.steps)

/** `who` makes the change, for the audit log. An unknown id throws ApiError 404. */
export const createSavedFunnels = (db: Db, clock: Clock) => {
  const now = (): number => toSeconds(clock())
  const list = (): Funnel[] => all(db, funnelsQuery, {}).map(readFunnel)
  const find = (wanted: number): Funnel => {
    const found = list().find(funnel => funnel.id === wanted)
    if (found === undefined) throw new ApiError(404, 'rest_funnel_not_found', 'Funnel not found.')
    return found
  }
  const insert = ({ name, steps, strict }: FunnelDefinition): Funnel => {
    const row = { name, steps: JSON.stringify(steps), strict: Number(strict), created_at: now() }
    return find(withUniqueName('funnel', name, () => get(db, addQuery, row))?.id ?? 0)
  }

  return {
    list,
    find,

    /** @throws ApiError 400 for a name that is taken, and beyond 20 funnels */
    add: (funnel: FunnelDefinition, who: string | null): Funnel =>
      db
        .transaction(() => {
          if (list().length >= maxFunnels)
            throw invalidParam('name', `There are ${maxFunnels} funnels already, the most that can be saved.`)
          const added = insert(funnel)
          noteAction(db, { at: now(), who }, 'funnel_saved', { name: funnel.name })
          return added
        })
        .immediate(),

    /**
     * Changes a funnel. With other steps it is a new funnel of another id, as its numbers are others.
     * @throws ApiError 400 for a name that is taken
     */
    change: (wanted: number, funnel: FunnelDefinition, who: string | null): Funnel =>
      db
        .transaction(() => {
          const before = find(wanted)
          noteAction(db, { at: now(), who }, 'funnel_changed', { name: funnel.name })
          if (!sameSteps(before, funnel)) {
            run(db, removeQuery, { id: wanted })
            return insert(funnel)
          }
          withUniqueName('funnel', funnel.name, () => run(db, renameQuery, { id: wanted, name: funnel.name }))
          return find(wanted)
        })
        .immediate(),

    remove: (wanted: number, who: string | null): void =>
      db
        .transaction(() => {
          const { name } = find(wanted)
          run(db, removeQuery, { id: wanted })
          noteAction(db, { at: now(), who }, 'funnel_removed', { name })
        })
        .immediate(),
  }
}

export type SavedFunnels = ReturnType<typeof createSavedFunnels>
