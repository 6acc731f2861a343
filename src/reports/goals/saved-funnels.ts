// Saved funnels.
import * as v from 'valibot'
import { all, type Db, get, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import type { Clock } from '../../lib/time.ts'
import sqlText from '../../sql/funnel.sql'
import { type Funnel, type FunnelDefinition, funnelColumns, funnelsQuery, readFunnel } from './definitions.ts'
import { createSaved } from './saved.ts'

const sql = statements(sqlText)

const id = { id: v.number() }
const addQuery = query(sql('add'), v.object(funnelColumns), v.object(id))
const renameQuery = query(sql('rename'), v.object({ ...id, name: v.string() }))
const removeQuery = query(sql('remove'), v.object(id))

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
