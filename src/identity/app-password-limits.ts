// What an application password may do, of what its user may, and until when.
import * as v from 'valibot'
import { everything, type Grant, type Scope, scopes } from '../http/access.ts'
import { maxExpiry } from '../lib/expiry.ts'
import { nearest } from '../lib/nearest.ts'
import { fromColumn, toColumn } from './held.ts'
import type { Filters } from './share-links.ts'

export const scopeNames = [everything, ...scopes] as const
export type ScopeName = (typeof scopeNames)[number]

/** `filters` apply to every report, as those of a share link; `expiresAt` in seconds since 1970. */
export type Limits = { scopes: readonly ScopeName[]; filters: Filters | null; expiresAt: number | null }
export type LimitField = 'scopes' | 'filters' | 'expires_at'

export const unlimited: Limits = { scopes: [everything], filters: null, expiresAt: null }

/** Why a password cannot have these limits: the field, and a sentence; null if it can. */
export const limitProblem = (
  { scopes: given, filters, expiresAt }: Limits,
  now: number,
): [LimitField, string] | null => {
  if (given.length === 0) return ['scopes', `scopes needs at least one of ${scopeNames.join(', ')}.`]
  if (given.includes(everything) && given.length > 1)
    return ['scopes', `The scope ${everything} includes the others: give either ${everything}, or some of the others.`]
  if (filters !== null && (given.length > 1 || given[0] !== 'reports'))
    return ['filters', 'Filters hold reports only, so a password with filters has the scope reports and no other.']
  if (expiresAt !== null && (expiresAt <= now || expiresAt > now + maxExpiry))
    return ['expires_at', 'A password expires in the future, at most 3,660 days from now.']
  return null
}

/** Why a text is no scope, naming the nearest one; null if it is one. */
export const scopeProblem = (text: string): string | null => {
  if (scopeNames.some(name => name === text)) return null
  const meant = scopeNames.find(name => text.length > 1 && name.startsWith(text)) ?? nearest(text, scopeNames)
  return `'${text}' is not a scope.${meant === undefined ? '' : ` Did you mean ${meant}?`} The scopes are ${scopeNames.join(', ')}.`
}

const readScopes = v.parser(v.array(v.picklist(scopeNames)))

/** The columns of the table that hold the limits. */
export const limitColumns = {
  scopes: v.string(),
  filters: v.nullable(v.string()),
  expires_at: v.nullable(v.number()),
}
export type LimitRow = { scopes: string; filters: string | null; expires_at: number | null }

export const toRow = ({ scopes: given, filters, expiresAt }: Limits): LimitRow => ({
  scopes: JSON.stringify([...new Set(given)]),
  filters: toColumn(filters),
  expires_at: expiresAt,
})

export const fromRow = ({ scopes: stored, filters, expires_at }: LimitRow): Limits => ({
  scopes: readScopes(JSON.parse(stored)),
  filters: fromColumn(filters),
  expiresAt: expires_at,
})

export const isExpired = ({ expiresAt }: Pick<Limits, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt <= now

/** How the limits narrow the identity of the user. */
export const grantOf = ({ scopes: given, filters }: Limits): Pick<Grant, 'scopes' | 'filters'> => ({
  ...(!given.includes(everything) && { scopes: given.filter((name): name is Scope => name !== everything) }),
  ...(filters !== null && { filters }),
})
