/** A command line or an environment that cannot be meant: the sentence is printed and the exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
