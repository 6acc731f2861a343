// Whether a Content-Security-Policy allows the tracker to load and to send requests.

/** Directives of one policy by name; of duplicates the first counts. */
type Policy = ReadonlyMap<string, readonly string[]>

export type Load = { kind: 'script'; url: string; nonce?: string | undefined } | { kind: 'connect'; url: string }

const parse = (text: string): Policy => {
  const policy = new Map<string, readonly string[]>()
  for (const directive of text.split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/)
    if (name !== '' && !policy.has(name.toLowerCase())) policy.set(name.toLowerCase(), sources)
  }
  return policy
}

/** Directives that apply, most specific first; the first one present decides. */
const fallbacks = {
  script: ['script-src-elem', 'script-src', 'default-src'],
  connect: ['connect-src', 'default-src'],
} as const

const standardPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80')

/** `http:` in a policy also allows https. */
const fitsScheme = (allowed: string, { protocol }: URL): boolean =>
  allowed === protocol || (allowed === 'http:' && protocol === 'https:')

const fitsHost = (allowed: string, { hostname }: URL): boolean =>
  allowed === '*' || (allowed.startsWith('*.') ? hostname.endsWith(allowed.slice(1)) : hostname === allowed)

const fitsPort = (allowed: string | undefined, { port, protocol }: URL): boolean => {
  const own = port === '' ? standardPort(protocol) : port
  return allowed === '*' || own === (allowed ?? standardPort(protocol)) || (allowed === '80' && own === '443')
}

const fitsPath = (allowed: string | undefined, { pathname }: URL): boolean =>
  allowed === undefined || (allowed.endsWith('/') ? pathname.startsWith(allowed) : pathname === allowed)

const hostSource =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::(\d+|\*))?(\/[^?#]*)?$/i

const fits = (source: string, url: URL, page: URL): boolean => {
  if (source === '*') return /^https?:$/.test(url.protocol)
  if (source.toLowerCase() === "'self'")
    return (
      url.hostname === page.hostname &&
      fitsScheme(page.protocol, url) &&
      fitsPort(page.port === '' ? undefined : page.port, url)
    )
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return fitsScheme(source.toLowerCase(), url)
  const [, scheme, host, port, path] = source.match(hostSource) ?? []
  return (
    host !== undefined &&
    fitsScheme(scheme === undefined ? page.protocol : `${scheme.toLowerCase()}:`, url) &&
    fitsHost(host.toLowerCase(), url) &&
    fitsPort(port, url) &&
    fitsPath(path, url)
  )
}

const allows = (sources: readonly string[], load: Load, page: URL): boolean => {
  if (load.kind === 'script') {
    if (load.nonce !== undefined && load.nonce !== '' && sources.includes(`'nonce-${load.nonce}'`)) return true
    // 'strict-dynamic' makes browsers ignore host sources.
    if (sources.some(source => source.toLowerCase() === "'strict-dynamic'")) return false
  }
  const url = new URL(load.url)
  return sources.some(source => fits(source, url, page))
}

/** The directive of a page's policies that blocks a request, as written; null if none does. */
export const blockedBy = (policies: readonly string[], load: Load, page: string): string | null => {
  for (const policy of policies.flatMap(text => text.split(',')).map(parse)) {
    const name = fallbacks[load.kind].find(directive => policy.has(directive))
    const sources = name === undefined ? undefined : policy.get(name)
    if (sources !== undefined && !allows(sources, load, new URL(page))) return `${name} ${sources.join(' ')}`.trim()
  }
  return null
}
