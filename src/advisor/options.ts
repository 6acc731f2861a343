/** The operator's choices, and what the service provides. */
export type AdvisorOptions = {
  plan: 'free' | 'paid'
  /** Null: the country of the site's time zone. */
  homeCountry: string | null
  /** Whether a city database is in use now. */
  hasCities: () => boolean
  /** Called with the question's id for every unexpected error. */
  onError: (id: string, error: unknown) => void
  now: () => number
}
