import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { errorText } from '../../lib/errors.ts'
import { english } from '../../lib/texts.ts'
import { asSelfTest, type CheckResult, type SelfTest } from '../result.ts'
import { type Check, type SelfTestDeps, SelfTestFailure } from './check.ts'
import { databaseChecks } from './database.ts'
import { partChecks } from './parts.ts'

/** All checks, in order. */
export const checks: readonly Check[] = [...databaseChecks, ...partChecks]

const runCheck = async ({ id, run }: Check, deps: SelfTestDeps): Promise<CheckResult> => {
  const started = performance.now()
  const outcome = await Promise.resolve()
    .then(() => run(deps))
    .then(
      (message): Pick<CheckResult, 'status' | 'message'> => ({ status: 'ok', message }),
      (error: unknown): Pick<CheckResult, 'status' | 'message'> => ({
        status: 'critical',
        message: error instanceof SelfTestFailure ? error.sentence : errorText(error),
      }),
    )
  return { id, ...outcome, duration: Math.round(performance.now() - started) }
}

/** Creates a folder next to the database; null on failure, so that the checks that need it fail. */
const makeFolder = (path: string): string | null => {
  try {
    return mkdtempSync(join(dirname(path), '.footfall-self-test-'))
  } catch {
    return null
  }
}

/** Runs all checks in sequence, yielding to the event loop between them for pending hits. */
export const runSelfTest = async (deps: Omit<SelfTestDeps, 'folder'>, language = english): Promise<SelfTest> => {
  const temporary = makeFolder(deps.path)
  const folder = temporary ?? join(dirname(deps.path), 'no-folder-could-be-made')
  const results: CheckResult[] = []
  try {
    for (const check of checks) {
      results.push(await runCheck(check, { ...deps, folder }))
      await nextTick()
    }
  } finally {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true })
  }
  return asSelfTest(results, language)
}
