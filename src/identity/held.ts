// What a user is held to: filters that apply to every report, as those of a share link and of an application password.
import * as v from 'valibot'
import { administrator } from './roles.ts'
import type { Filters } from './share-links.ts'

const readFilters = v.parser(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())))

/** The filters in a column; null for none. */
export const fromColumn = (text: string | null): Filters | null => (text === null ? null : readFilters(text))

export const toColumn = (filters: Filters | null): string | null =>
  filters === null || Object.keys(filters).length === 0 ? null : JSON.stringify(filters)

/** As in the query of a report, for the audit log, which needs no more than their beginning. */
export const filtersText = (filters: Filters): string =>
  Object.entries(filters)
    .map(([name, text]) => `${name}=${text}`)
    .join('&')
    .slice(0, 200)

/** Why nobody with this role can be held to the filters; null if somebody can. */
export const heldProblem = (role: string, filters: Filters | null): string | null =>
  role === administrator && toColumn(filters) !== null
    ? 'An administrator sees all visits: give a user who is held to filters the role viewer.'
    : null

/** The filters of which a user and a password of theirs have different texts. */
export const contradictions = (held: Filters | null, own: Filters | null): string[] =>
  Object.keys(own ?? {}).filter(name => held?.[name] !== undefined && held[name] !== own?.[name])
