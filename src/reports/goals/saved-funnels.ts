// Saved funnels.
import * as v from 'valibot'
import { all, get, query, run, type Db } from '../../database/query.ts'
import type { Clock } from '../../lib/time.ts'
import addFunnel from '../../sql/funnel.add.sql'
import removeFunnel from '../../sql/funnel.remove.sql'
import renameFunnel from '../../sql/funnel.rename.sql'
import { funnelColumns, funnelsQuery, readFunnel, type Funnel, type FunnelDefinition } from './definitions.ts'
import { createSaved } from './saved.ts'

const nothing = v.object({})
const id = { id: v.number() }
const addQuery = query(addFunnel, v.object(funnelColumns), v.object(id))
const renameQuery = query(renameFunnel, v.object({ ...id, name: v.string() }), nothing)
const removeQuery = query(removeFunnel, v.object(id), nothing)

const maxFunnels = 20

const sameSteps = (one: FunnelDefinition, other: FunnelDefinition): boolean =>
  one.strict === other.strict && JSON.stringify(one.steps) === JSON.stringify(other.steps)

/** With other steps a funnel is a new one. */
export const createSavedFunnels = (db: Db, clock: Clock) =>
  createSaved<Funnel, FunnelDefinition>(db, clock, {
    noun: 'funnel',
    max: maxFunnels,
    list: () => all(db, funnelsQuery, {}).map(readFunnel),
    insert: ({ name, steps, strict }, created_at) =>
      get(db, addQuery, { name, steps: JSON.stringify(steps), strict: Number(strict), created_at }),
    isSame: sameSteps,
    update: (before, { name }) => run(db, renameQuery, { id: before.id, name }),
    remove: wanted => run(db, removeQuery, { id: wanted }),
  })

export type SavedFunnels = ReturnType<typeof createSavedFunnels>
