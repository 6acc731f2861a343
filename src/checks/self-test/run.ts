import { mkdtempSync, rmSync } from 'node:fs'
import { errorText } from '../../lib/errors.ts'
import { dirname, join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import type { Check, Tools } from './check.ts'
import { databaseChecks } from './database.ts'
import { partChecks } from './parts.ts'

/** Every check, one a row. */
export const checks: readonly Check[] = [...databaseChecks, ...partChecks]

export type CheckResult = { id: string; ok: boolean; message: string; duration_ms: number }

const runCheck = async ({ id, run }: Check, tools: Tools): Promise<CheckResult> => {
  const started = performance.now()
  const done = (ok: boolean, message: string): CheckResult => ({
    id,
    ok,
    message,
    duration_ms: Math.round(performance.now() - started),
  })
  try {
    return done(true, await run(tools))
  } catch (error) {
    return done(false, errorText(error))
  }
}

/** A folder beside the database; where none can be made, the checks that need it fail by themselves. */
const makeFolder = (path: string): string | null => {
  try {
    return mkdtempSync(join(dirname(path), '.footfall-self-test-'))
  } catch {
    return null
  }
}

/** Does all checks one after the other, with a pause between for hits that wait. */
export const runSelfTest = async (tools: Omit<Tools, 'folder'>): Promise<{ ok: boolean; checks: CheckResult[] }> => {
  const folder = makeFolder(tools.path)
  const results: CheckResult[] = []
  try {
    for (const check of checks) {
      results.push(
        await runCheck(check, { ...tools, folder: folder ?? join(dirname(tools.path), 'no-folder-could-be-made') }),
      )
      await pause()
    }
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
  return { ok: results.every(({ ok }) => ok), checks: results }
}
