/** An invalid command line or environment: the sentence is printed and the exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
