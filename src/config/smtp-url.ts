/**
 * A mail server. `tls`: from the first byte, by STARTTLS and not without it, by STARTTLS if it is offered (on this
 * machine, where nobody listens and certificates name no host), or not at all.
 */
export type SmtpServer = {
  host: string
  port: number
  tls: 'implicit' | 'required' | 'offered' | 'off'
  login: { user: string; password: string } | null
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(host) || host === '::1'

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const tlsOf = (protocol: string, host: string, query: string): SmtpServer['tls'] | undefined => {
  if (protocol === 'smtps:') return query === '' ? 'implicit' : undefined
  if (query === '?tls=off') return 'off'
  return query !== '' ? undefined : isThisMachine(host) ? 'offered' : 'required'
}

/**
 * Parses smtps://USER:PASSWORD@HOST:PORT, or smtp:// with STARTTLS. `?tls=off` sends without encryption.
 * @returns undefined for anything else
 */
export const readSmtpUrl = (text: string): SmtpServer | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:\/\/[^/]/i.test(text) || url.hostname === '') return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const [user, password] = [decoded(url.username), decoded(url.password)]
  const tls = tlsOf(url.protocol, host, url.search)
  if (user === undefined || password === undefined || tls === undefined) return undefined
  if (!/^\/?$/.test(url.pathname) || url.hash !== '' || (user === '') !== (password === '')) return undefined
  return {
    host,
    port: url.port === '' ? (tls === 'implicit' ? 465 : 587) : Number(url.port),
    tls,
    login: user === '' ? null : { user, password },
  }
}
