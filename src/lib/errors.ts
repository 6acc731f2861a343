/** A failure that is not a bug. Its message says what to do and is shown without a stack; commands end with exit code 1. */
export class ExpectedError extends Error {
  override name = 'ExpectedError'
}

/** The thrown value as an Error. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** The message of a thrown value. */
export const errorText = (thrown: unknown): string => asError(thrown).message

/** The error that caused a thrown one: fetch wraps the system's error in `cause`. */
export const rootCause = (thrown: unknown): Error => {
  const error = asError(thrown)
  return error.cause instanceof Error ? error.cause : error
}

/** Why a fetch failed, as the system's code (ECONNREFUSED) or else a message; never an address or a header. */
export const fetchFailure = (thrown: unknown): string => {
  const cause = rootCause(thrown)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
