// "What changed": the few differences of a range that matter, each with the filters that show it.
import { ApiError } from '../../http/errors.ts'
import { daysBetween, toSeconds } from '../../lib/time.ts'
import { otherRange } from '../../reports/compare.ts'
import { bindParameters } from '../../reports/pool.ts'
import { firstDayQuery } from '../../rollup/whole.ts'
import type { Batch } from '../answers.ts'
import { againstPhrase, sentence, textsOf } from '../language.ts'
import { createReportRunner } from '../report-runner.ts'
import type { Change } from './candidate.ts'
import { listChanges } from './movers.ts'
import { campaignChange, dayChange, unusualDay } from './unusual-day.ts'

type ChangesBatch = Pick<Batch, 'context' | 'signal' | 'language' | 'range' | 'filters' | 'compare' | 'now'>

const maxChanges = 3

/** Single visits that are gone, or a range before the first one, leave a change out; other errors are errors. */
const unlessRefused = <Result>(result: Promise<Result>): Promise<Result | null> =>
  result.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 400) return null
    throw error
  })

/** The changes that matter most, at most one of a kind and three in all. */
export const findChanges = async (batch: ChangesBatch): Promise<Change[]> => {
  const { context, signal, language, range, filters, compare, now } = batch
  const runner = createReportRunner(context, { language: language.tag, signal }, batch, now)
  const reader = { ...runner.readFor({ reports: new Set(), left: [] }), range, compare }
  const today = context.zone.dayOf(toSeconds(context.clock()))
  const other = otherRange(range, compare)
  const firstDay = (await context.read([bindParameters(firstDayQuery, {})]))[0][0]?.day ?? today
  // Days that nothing is known of, or a range of another length, would make everything new.
  const isComparable = other.from >= firstDay && daysBetween(other.from, other.to) === daysBetween(range.from, range.to)
  const [lists, day] = await Promise.all([
    isComparable ? unlessRefused(listChanges(reader)) : null,
    unlessRefused(unusualDay(reader, today)),
  ])
  const ofDay =
    day === null
      ? []
      : await Promise.all([
          unlessRefused(dayChange(reader, day)),
          // Orders are not filtered.
          Object.keys(filters).length > 0 ? null : unlessRefused(campaignChange(reader, day)),
        ])
  const against = againstPhrase(language, compare)
  return [...(lists ?? []), ...ofDay]
    .filter(candidate => candidate !== null)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, maxChanges)
    .map(({ values, weight: _, ...change }) => ({
      ...change,
      text: sentence(language, textsOf(language).changes[change.kind], { against, ...values }),
    }))
}
