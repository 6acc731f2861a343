/** What was refused, for an answer's code; the message says it to the owner. */
export type IdentityReason = 'invalid' | 'login_taken' | 'name_taken' | 'last_administrator' | 'unknown_user'

/** A change of users or passwords that is refused, as a sentence for the owner. */
export class IdentityError extends Error {
  override name = 'IdentityError'
  readonly reason: IdentityReason

  constructor(message: string, reason: IdentityReason = 'invalid') {
    super(message)
    this.reason = reason
  }
}
