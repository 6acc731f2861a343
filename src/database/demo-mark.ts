import * as v from 'valibot'
import sqlText from '../sql/demo.sql'
import { type Db, get, none, query } from './query.ts'
import { loadState, saveState } from './saved-state.ts'
import { statements } from './statements.ts'

const sql = statements(sqlText)

/** What a file of made-up figures says of itself: days as YYYY-MM-DD. Nothing takes the mark off again. */
export const demoMarkSchema = v.object({ seed: v.number(), from: v.string(), to: v.string() })
export type DemoMark = v.InferOutput<typeof demoMarkSchema>

const usedQuery = query(sql('used'), none, v.object({ used: v.number() }))

/** Whether a file has counted anything, or has orders: these are then of the one kind or of the other. */
export const hasFigures = (db: Db): boolean => get(db, usedQuery, {})?.used === 1

export const markDemo = (db: Db, mark: DemoMark): void => saveState(db, 'demo', mark)

/** Null for a file of real figures. */
export const readDemoMark = (db: Db): DemoMark | null => loadState(db, 'demo', demoMarkSchema)

/** For people, wherever such figures are shown. */
export const demoSentence = ({ from, to }: DemoMark): string =>
  `This is demo data: the figures from ${from} to ${to} are made up.`
