// What a visit can be suspected by that does not say it is a bot: one row a rule. docs/bots.md tells of each.

/** What a rule looks at. A visit is suspect by two kinds, one of them of the first three. */
export const evidenceKinds = ['network', 'headers', 'device', 'pace', 'presence'] as const
type EvidenceKind = (typeof evidenceKinds)[number]

type Row = {
  code: string
  kind: EvidenceKind
  /** What it looks at. */
  about: string
  why: string
  /** The month from which on it is judged by. */
  since: string
}

/** The number of a rule's bit is its place here, which it keeps: visits are stored with them. */
const rows = [
  {
    code: 'server_network',
    kind: 'network',
    about: 'The address is in a network of servers, and of no relay, VPN or secure gateway that people use.',
    why: 'Browsers of people are at home, at work and on phones; rented servers run programs.',
    since: '2026-11',
  },
  {
    code: 'no_client_hints',
    kind: 'headers',
    about: 'A Chromium of version 90 or newer, on a page with HTTPS, without Sec-CH-UA.',
    why: 'Every such browser sends it; programs that only copy a user agent do not.',
    since: '2026-11',
  },
  {
    code: 'other_client_hints',
    kind: 'headers',
    about: 'Brands, version or platform in the client hints are not those of the user agent.',
    why: 'A browser makes both from the same facts; a program that changes one forgets the other.',
    since: '2026-11',
  },
  {
    code: 'no_accept_language',
    kind: 'headers',
    about: 'The request has no Accept-Language.',
    why: 'Every browser sends the languages of its user.',
    since: '2026-11',
  },
  {
    code: 'other_language',
    kind: 'headers',
    about: 'The language that the page was told is not in Accept-Language.',
    why: 'A browser makes both from one list; tools set one of them.',
    since: '2026-11',
  },
  {
    code: 'impossible_fetch',
    kind: 'headers',
    about: 'Sec-Fetch headers that the request of a page’s script cannot have.',
    why: 'A browser sets them by itself; programs copy those of opening a page.',
    since: '2026-11',
  },
  {
    code: 'no_screen',
    kind: 'device',
    about: 'A screen of 0 × 0.',
    why: 'No person looks at it.',
    since: '2026-11',
  },
  {
    code: 'small_screen',
    kind: 'device',
    about: 'A screen of 800 × 600 with the user agent of a phone, or of a Chromium of version 90 or newer.',
    why: 'It is what browsers without a screen say if nobody sets another one.',
    since: '2026-11',
  },
  {
    code: 'many_pages',
    kind: 'pace',
    about: 'More than 60 pages within an hour, seen for less than two seconds each.',
    why: 'Nobody reads that fast for that long.',
    since: '2026-11',
  },
  {
    code: 'equal_gaps',
    kind: 'pace',
    about: 'Eight pages or more, each as many seconds after the one before.',
    why: 'People do not keep time; loops do.',
    since: '2026-11',
  },
  {
    code: 'nobody_there',
    kind: 'presence',
    about: 'One page, no visible second, no scrolling and no event until the visit ended.',
    why: 'A page that somebody looked at says so.',
    since: '2026-11',
  },
] as const satisfies readonly Row[]

export type SuspicionRule = (typeof rows)[number]['code']

export const suspicionRules = rows
export const suspicionRuleCodes = rows.map(({ code }) => code)

export const isSuspicionRule = (given: unknown): given is SuspicionRule =>
  suspicionRuleCodes.some(code => code === given)

/** The bit of a rule in the evidence of a visit. */
export const bitOf = (code: SuspicionRule): number => 1 << suspicionRuleCodes.indexOf(code)

export const bitsOf = (codes: readonly SuspicionRule[]): number => codes.reduce((bits, code) => bits | bitOf(code), 0)
const bitsOfKind = (kind: EvidenceKind): number => bitsOf(rows.filter(row => row.kind === kind).map(({ code }) => code))

export const rulesIn = (evidence: number): SuspicionRule[] =>
  suspicionRuleCodes.filter(code => (evidence & bitOf(code)) !== 0)

/** Without one of these a visit is not suspect: a quick or a silent visitor alone is none. */
const main = (['network', 'headers', 'device'] as const).map(bitsOfKind)
const all = evidenceKinds.map(bitsOfKind)

/** A bit of its own: the visit bought something, so it is nobody's program, whatever fires. */
export const boughtBit = 1 << 15

/** A bit of its own: the visit is of an access log, which does not tell how long a page was seen, nor what was done there. */
export const logBit = 1 << 14

/** Whether two kinds fired, one of them a main one. @param ignored bits of rules that do not count */
export const isSuspect = (evidence: number, ignored: number): boolean => {
  if ((evidence & boughtBit) !== 0) return false
  const counted = evidence & ~ignored
  return main.some(bits => (counted & bits) !== 0) && all.filter(bits => (counted & bits) !== 0).length > 1
}
