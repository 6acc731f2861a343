/** Configuration by the operator, and callbacks of the service. */
export type AdvisorOptions = {
  plan: 'free' | 'paid'
  /** Null for the country of the site's time zone. */
  homeCountry: string | null
  /** The site's own hosts, as configured; none if any host may send hits. */
  siteHosts: readonly string[]
  /** Whether a city database is currently loaded. */
  hasCities: () => boolean
  /** Called with the id of the question for every unexpected error. */
  onError: (id: string, error: unknown) => void
  now: () => number
}
