// Addresses of pages of the site.

/** Hosts without certificates, such as those of a developer. */
const withoutCertificate = /^(?:localhost|[\d.]+|\[.*\]|.*\.(?:localhost|local|test|internal|lan|home\.arpa))(?::\d+)?$/

/** By https; by http only where the dashboard itself is, on the same host, and on hosts that have no certificates. */
const protocolOf = (host: string, own: Pick<Location, 'protocol' | 'hostname'>): string => {
  const plain = (name: string): string => name.replace(/:\d+$/, '').replace(/^www\./, '')
  if (plain(host) === plain(own.hostname)) return own.protocol
  return withoutCertificate.test(host) ? 'http:' : 'https:'
}

/** The query that identifies a page, as in /?p=12. */
const keptQuery = /\?[\w.[\]-]+=[\w-]+(?:&[\w.[\]-]+=[\w-]+)*$/

/**
 * The address of a page as reports show it. Names of pages are encoded where they must be; those that earlier versions
 * have stored may hold `#`, `?` or a `%` of their own.
 */
export const pageHref = (host: string, page: string, own: Pick<Location, 'protocol' | 'hostname'>): string => {
  const query = keptQuery.exec(page)?.[0] ?? ''
  const path = page
    .slice(0, page.length - query.length)
    .replace(/%(?![\da-f]{2})/gi, '%25')
    .replaceAll('#', '%23')
    .replaceAll('?', '%3F')
    .replaceAll('\\', '%5C')
  return `${protocolOf(host, own)}//${host}${path}${query}`
}
