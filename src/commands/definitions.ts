// What the commands of goals and funnels share.
import * as v from 'valibot'
import { readOptions, UsageError } from '../config/config.ts'
import { openToRead } from '../database/open.ts'
import { ApiError, sentencesOf } from '../http/errors.ts'
import { ExpectedError } from '../lib/errors.ts'
import type { ReportContext } from '../reports/context.ts'
import { findNamed } from '../reports/goals/definitions.ts'
import { openForReports } from '../reports/periods.ts'
import { chooseZone } from '../rollup/zone.ts'
import type { Call } from './command.ts'
import { optionsWith, warnOfDemo } from './database.ts'
import { reportContext } from './reports.ts'

/** Refusals of a definition are usage errors. */
export const orUsageError = <Result>(work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(sentencesOf(error)) : error
  }
}

/** Names of the parameters that identify pages: as given, else as the file says. */
const keptParameters = (call: Call): readonly string[] => {
  const db = openToRead(readOptions(['data'], call.flags, call.env).data)
  try {
    return optionsWith(call, db, ['keepQuery']).keepQuery
  } finally {
    db.close()
  }
}

/**
 * Reads a definition by the schema and the rules of the API.
 * @throws UsageError naming what is wrong
 */
export const readDefinition = <Schema extends v.GenericSchema, Definition>(
  call: Call,
  schema: Schema,
  given: unknown,
  read: (body: v.InferOutput<Schema>, keepQuery: readonly string[]) => Definition,
): Definition => {
  const body = v.safeParse(schema, given)
  if (!body.success) throw new UsageError(body.issues.map(({ message }) => message).join(' '))
  return orUsageError(() => read(body.output, keptParameters(call)))
}

export const readProperty = (text: string, name: string): { key: string; value: string } => {
  const [, key = '', value = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (key === '') throw new UsageError(`${name} is written KEY=VALUE.`)
  return { key, value }
}

/** Runs what reads reports of the database at --data. */
export const withReports = async <T>(call: Call, use: (context: ReportContext) => Promise<T>): Promise<T> => {
  const db = openToRead(readOptions(['data'], call.flags, call.env).data, openForReports)
  try {
    warnOfDemo(call, db)
    return await use(reportContext(db, chooseZone(db, null), call.clock))
  } finally {
    db.close()
  }
}

/** '25.0%', or '-' of nothing. */
export const percentText = (ratio: number | null): string => (ratio === null ? '-' : `${(ratio * 100).toFixed(1)}%`)

type Saved = {
  list: () => readonly { id: number; name: string }[]
  remove: (id: number, who: string | null) => unknown
}

/** Removes the goal or funnel that the first argument names, by its id or its name. */
export const removeNamed = (call: Call, kind: 'goal' | 'funnel', saved: Saved): void => {
  const [wanted = ''] = call.args
  const found = findNamed(saved.list(), wanted)
  if (found === undefined)
    throw new ExpectedError(`There is no ${kind} ${wanted}. Run 'footfall ${kind} list' to see them.`)
  saved.remove(found.id, 'cli')
  call.print(`${kind === 'goal' ? 'Goal' : 'Funnel'} ${found.id} was removed.`)
}
