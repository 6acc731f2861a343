import * as v from 'valibot'
import { type Db, get, none, type Query, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { idsPerOrigin } from '../../lib/origins.ts'
import sqlText from '../../sql/numbering.sql'

const sql = statements(sqlText)

const number = v.object({ id: v.number() })
const visitQuery = query(sql('session.next-id'), none, number)
const visitorQuery = query(sql('visitor.next-id'), none, number)

/** Numbers one after the other. */
export type Numbers = {
  next: () => number
  /** After a rollback: reads from the file what comes next. */
  restore: () => void
}

/** The numbers of new visits and visitors. */
export type Numbering = {
  visits: Numbers
  visitors: Numbers
  /** The visits that a record may join have numbers from the first on, before the last. */
  range: { first_id: number; next_id: number }
  /** Whether the file keeps the hashes of visitors while their salts exist, or memory alone does. */
  keepsHashes: boolean
}

/** Of whoever holds the file: its visits may join any that are current. */
export const numberingOf = (db: Db): Numbering => {
  const numbers = (from: Query<typeof none, typeof number>): Numbers => {
    let next = 1
    return {
      next: () => {
        next += 1
        return next - 1
      },
      restore: () => {
        next = get(db, from, {})?.id ?? 1
      },
    }
  }
  return {
    visits: numbers(visitQuery),
    visitors: numbers(visitorQuery),
    range: { first_id: 0, next_id: Number.MAX_SAFE_INTEGER },
    keepsHashes: true,
  }
}

/** Of a range that nothing else uses, for another program beside the one that holds the file. */
export const numberingWithin = (origin: number, visits: Numbers, visitors: Numbers): Numbering => {
  const first_id = origin * idsPerOrigin
  const within = ({ next, restore }: Numbers): Numbers => ({ next: () => first_id + next(), restore })
  return {
    visits: within(visits),
    visitors: within(visitors),
    range: { first_id, next_id: first_id + idsPerOrigin },
    keepsHashes: false,
  }
}
