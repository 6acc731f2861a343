// Property tests whose failures are shrunk for a limited time.
import fc from 'fast-check'

/** The same cases every time, so that a change fails by its own faults only; another SEED draws others. */
export const seed = Number(process.env.SEED ?? 1)

/** The time limit for shrinking a counterexample, in milliseconds. */
const shrinkingTime = 10_000

const shrinking = <T>(first: fc.RunDetails<T>, parameters: fc.Parameters<T>): fc.Parameters<T> => ({
  ...parameters,
  seed: first.seed,
  path: first.counterexamplePath ?? '',
  interruptAfterTimeLimit: shrinkingTime,
})

/** What went wrong, and by which case. */
const report = <T>(first: fc.RunDetails<T>, shrunk: fc.RunDetails<T>): never => {
  const found = shrunk.counterexample === null ? first : shrunk
  const { errorInstance: error } = found
  const difference = error instanceof Error && 'details' in error ? `\n${String(error.details)}` : ''
  throw new Error(`${error instanceof Error ? error.message : ''}${difference}\n${fc.defaultReportMessage(found)}`)
}

/** Checks a property of a synchronous function, as fc.assert does. */
export const check = <T>(property: fc.IProperty<T>, parameters: fc.Parameters<T> = {}): void => {
  const first = fc.check(property, { seed, ...parameters, endOnFailure: true })
  if (first.failed) report(first, fc.check(property, shrinking(first, parameters)))
}

/** Checks a property of an asynchronous function, as fc.assert does. */
export const checkAsync = async <T>(
  property: fc.IAsyncProperty<T>,
  parameters: fc.Parameters<T> = {},
): Promise<void> => {
  const first = await fc.check(property, { seed, ...parameters, endOnFailure: true })
  if (first.failed) report(first, await fc.check(property, shrinking(first, parameters)))
}
