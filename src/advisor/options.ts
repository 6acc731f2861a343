/** What the operator has decided, and what is told of bugs. */
export type AdvisorOptions = {
  plan: 'free' | 'paid'
  /** Not given: that of the time zone is looked up. */
  homeCountry: string | null
  /** Whether a city database is in use now. */
  hasCities: () => boolean
  failed: (id: string, error: unknown) => void
  now: () => number
}
