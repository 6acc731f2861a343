/** What the operator has decided, and what is told of bugs. */
export type AdvisorOptions = {
  plan: 'free' | 'paid'
  /** Not given: that of the time zone is looked up. */
  homeCountry: string | null
  hasCities: boolean
  failed: (id: string, error: unknown) => void
  now: () => number
}
