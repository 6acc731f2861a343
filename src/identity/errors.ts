/** A change of users or passwords that is refused, as a sentence for the owner. */
export class IdentityError extends Error {
  override name = 'IdentityError'
}
