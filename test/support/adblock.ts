// Lists of content blockers in Adblock syntax: the rules that may match any site, and whether one blocks a request.

const requestTypes = ['document', 'subdocument', 'script', 'image', 'xmlhttprequest', 'ping'] as const
export type RequestType = (typeof requestTypes)[number]

/** A request of a page. A blocker may see a kept-alive fetch as either of two types. */
type BlockableRequest = { url: string; page: string; types: readonly RequestType[] }

type BlockerRule = { text: string; blocks: (request: BlockableRequest) => boolean }

type Condition = (request: BlockableRequest) => boolean

const escapeText = (text: string): string => text.replace(/[\\^$.+?()[\]{}|*]/g, String.raw`\$&`)

/** `||` is the start of a host name or of one of its labels, `|` an end of the address, `^` a separator. */
const patternOf = (written: string): RegExp => {
  const [, start = '', middle = '', end = ''] = /^(\|{0,2})(.*?)(\|?)$/.exec(written) ?? []
  const body = middle.replace(/[*^]|[^*^]+/g, part =>
    part === '*' ? '.*' : part === '^' ? String.raw`(?:[^\w.%-]|$)` : escapeText(part),
  )
  const starts: Readonly<Record<string, string>> = { '|': '^', '||': String.raw`^[a-z][a-z0-9+.-]*://(?:[^/?#]*\.)?` }
  return new RegExp(`${starts[start] ?? ''}${body}${end === '' ? '' : '$'}`, 'i')
}

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** What is registered, by and large: the last two labels. Blockers know suffixes such as co.uk as well. */
const siteOf = (host: string): string => (/^[\d.]+$|:/.test(host) ? host : host.split('.').slice(-2).join('.'))

const isThirdParty: Condition = ({ url, page }) => siteOf(new URL(url).hostname) !== siteOf(new URL(page).hostname)

/** The names with and without `~` before them. */
const split = (names: readonly string[]): { included: string[]; excluded: string[] } => ({
  included: names.filter(name => !name.startsWith('~')),
  excluded: names.filter(name => name.startsWith('~')).map(name => name.slice(1)),
})

const ofDomains = (names: readonly string[]): Condition => {
  const { included, excluded } = split(names)
  return ({ page }) => {
    const { hostname } = new URL(page)
    const isAmong = (domains: readonly string[]): boolean => domains.some(domain => isWithin(hostname, domain))
    return (included.length === 0 || isAmong(included)) && !isAmong(excluded)
  }
}

const isType = (name: string): boolean => requestTypes.some(type => type === name.replace(/^~/, ''))

const ofTypes = (names: readonly string[]): Condition => {
  const { included, excluded } = split(names)
  return ({ types }) =>
    types.some(type => (included.length === 0 || included.includes(type)) && !excluded.includes(type))
}

const conditionsOf = (options: readonly string[]): Condition[] => {
  const others = options.filter(option => !isType(option))
  return [
    ofTypes(options.filter(isType)),
    ...others.map((option): Condition => {
      if (option === 'third-party') return isThirdParty
      if (option === '~third-party') return request => !isThirdParty(request)
      if (option.startsWith('domain=')) return ofDomains(option.slice('domain='.length).split('|'))
      throw new Error(`unknown option of a blocker's rule: ${option}`)
    }),
  ]
}

const optionsOf = (rule: string): string[] => /\$([^$/]+)$/.exec(rule)?.[1]?.split(',') ?? []

const isKnown = (option: string): boolean => isType(option) || /^(?:~?third-party$|domain=)/.test(option)

/** @throws Error for an option that is not known */
export const parseRule = (text: string): BlockerRule => {
  const pattern = patternOf(text.replace(/\$[^$/]+$/, ''))
  const conditions = conditionsOf(optionsOf(text))
  return { text, blocks: request => pattern.test(request.url) && conditions.every(holds => holds(request)) }
}

/** Hosts of companies, exceptions, comments, the title, regular expressions, rules that hide elements, rules for any address. */
const isOther = /^(?:\|\||@@|!|\[|\*?\$|\/.*\/(?:\$|$))|#[@?$%]*#/

/** The rules of a list that block requests of any site by their address; those with an unknown option are left out. */
export const parseList = (text: string): BlockerRule[] =>
  text
    .split(/\r?\n/)
    .filter(line => line.trim() !== '' && !isOther.test(line) && optionsOf(line).every(isKnown))
    .map(parseRule)
