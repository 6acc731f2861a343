// Saved goals and funnels as they are stored.
import * as v from 'valibot'
import { none, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { type GoalWorth, valueSources } from '../../goals/values.ts'
import sqlText from '../../sql/goals-definitions.sql'
import { bindParameters, type Read } from '../pool.ts'
import { type GoalRule, goalKinds, type StepRule, stepKinds } from './rules.ts'

const sql = statements(sqlText)

export type GoalDefinition = GoalRule & GoalWorth & { name: string }
/** `createdAt` in seconds since 1970. */
export type Goal = GoalDefinition & { id: number; position: number; createdAt: number }

export type FunnelDefinition = { name: string; steps: readonly StepRule[]; strict: boolean }
export type Funnel = FunnelDefinition & { id: number; createdAt: number }

const id = { id: v.number() }
export const goalColumns = {
  name: v.string(),
  kind: v.picklist(goalKinds),
  pattern: v.string(),
  threshold: v.nullable(v.number()),
  property: v.nullable(v.string()),
  value_from: v.picklist(valueSources),
  value: v.nullable(v.number()),
  created_at: v.number(),
}
export const funnelColumns = { name: v.string(), steps: v.string(), strict: v.number(), created_at: v.number() }
export const goalsQuery = query(sql('goal.list'), none, v.object({ ...id, ...goalColumns, position: v.number() }))
export const funnelsQuery = query(sql('funnel.list'), none, v.object({ ...id, ...funnelColumns }))

const propertySchema = v.object({ key: v.string(), value: v.string() })
const readProperty = v.parser(v.pipe(v.string(), v.parseJson(), propertySchema))
const readSteps = v.parser(
  v.pipe(
    v.string(),
    v.parseJson(),
    v.array(v.object({ kind: v.picklist(stepKinds), pattern: v.string(), property: v.nullable(propertySchema) })),
  ),
)

export const readGoal = ({ property, value_from, created_at, ...row }: v.InferOutput<typeof goalsQuery.row>): Goal => ({
  ...row,
  property: property === null ? null : readProperty(property),
  valueFrom: value_from,
  createdAt: created_at,
})

export const readFunnel = ({ steps, strict, created_at, ...row }: v.InferOutput<typeof funnelsQuery.row>): Funnel => ({
  ...row,
  steps: readSteps(steps),
  strict: strict === 1,
  createdAt: created_at,
})

/** All goals, in their order. */
export const readGoals = async (read: Read): Promise<Goal[]> => {
  const [rows] = await read([bindParameters(goalsQuery, {})])
  return rows.map(readGoal)
}

/** All funnels, by name. */
export const readFunnels = async (read: Read): Promise<Funnel[]> => {
  const [rows] = await read([bindParameters(funnelsQuery, {})])
  return rows.map(readFunnel)
}

/** One by its id, else by its name without regard to case. */
export const findNamed = <One extends { id: number; name: string }>(
  list: readonly One[],
  wanted: string,
): One | undefined =>
  list.find(({ id }) => String(id) === wanted) ??
  list.find(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase())
