// What visitors wrote goes to a language model: made plain, and on request left out.
import { allLabels } from '../advisor/language.ts'
import { channels } from '../channel/channels.ts'
import { listServices } from '../channel/listed-services.ts'
import { isPlain, type Plain } from '../commands/report-tables.ts'
import { lazy } from '../lib/lazy.ts'
import type { ApiCall } from './api.ts'
import type { KnownTexts } from './known-texts.ts'
import { plainSentence, plainValue, quoted } from './plain-text.ts'

// What no visitor has written, though it stands where reports have texts of visitors.

/** Names of sums and of what is unknown, and the events of the tracker and of shops. */
const fixed = [
  ...['', 'Direct', '(not set)', '(other)', '(few)', '(single visits)'],
  ...['not_found', 'file_download', 'outbound_link', 'product_view', 'add_to_cart', 'checkout_start', 'purchase'],
]

const words = lazy<ReadonlySet<string>>(
  () => new Set([...fixed, ...allLabels(), ...channels, ...listServices().map(({ name }) => name)]),
)

const date = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/

const isSiteWord = (text: string): boolean => words().has(text) || date.test(text)

/** A language with its script and region. Other parts of a tag can spell words. */
const isPlainTag = (tag: string): boolean => /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/.test(tag)

/** Names of languages show the other parts of a tag in capitals, and a tag that is unknown as it is. */
const isLanguageName = (name: string): boolean => /^\p{Lu}/u.test(name) && !/[_\d]|\p{Lu}{4}/u.test(name)

const closed =
  /^(?:continent|countr(?:y|ies)|region|cit(?:y|ies)|device|browser|browser_version|os|os_version|system|channel|screen|hour|weekday|goal|funnel)s?$/

/** Whether the values of a filter, a dimension or a group are those of a list, numbers, or named by the owner. */
const isClosedKind = (kind: string): boolean => closed.test(kind)

/** Sentences and statements, which only quote what visitors wrote. */
const sentences = new Set(['summary', 'message', 'hint', 'text', 'question', 'question_en', 'detail', 'description'])
const statements = new Set(['sql', 'plan'])

/** The answer with every text plain; values are at most 120 characters long. */
export const plainAnswer = (value: unknown, key = ''): unknown => {
  if (typeof value === 'string')
    return statements.has(key) ? value : sentences.has(key) ? plainSentence(value) : plainValue(value)
  if (Array.isArray(value)) return value.map(one => plainAnswer(one, key))
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [plainValue(name), plainAnswer(part, name)]))
}

export const leftOut = '(left out)'

/** Says of a text whether it may stay. */
type Keep = (text: string) => boolean

/** The same, which notes the texts that may not. */
const noting =
  (keep: Keep, noted: Set<string>): Keep =>
  text => {
    const kept = keep(text)
    if (!kept) noted.add(text)
    return kept
  }

type Masking = {
  /** For texts that stay if the site knows them. */
  keep: Keep
  /** For texts that stay only if the caller wrote them. */
  own: Keep
  /** What the keys, values, labels and names of rows are: of a list, texts that the site may know, or never shown. */
  names: 'closed' | 'known' | 'language' | 'never'
}

const isUtm = (key: string): boolean => key.startsWith('utm')
const isProperty = (key: string): boolean => /^property\b/.test(key)

/** Fields that hold what visitors wrote, besides titles, UTM values and properties. */
const written = new Set([
  ...['page', 'landing_page', 'entry_page', 'exit_page', 'top_page', 'host', 'domain', 'source'],
  ...['search', 'via', 'event', 'author', 'resource_type'],
])
const nameFields = new Set(['key', 'value', 'label', 'name', 'within'])

const namesOfKind = (kind: string): Masking['names'] => {
  if (isUtm(kind) || isProperty(kind)) return 'never'
  return isClosedKind(kind) ? 'closed' : /^languages?$/.test(kind) ? 'language' : 'known'
}

/** What the rows of an endpoint are named by. */
const namesOf = ({ path, query = {} }: ApiCall): Masking['names'] => {
  const [, kind] = /^\/(?:filters|dimensions)\/([^/]+)$/.exec(path) ?? []
  if (kind !== undefined) return namesOfKind(decodeURIComponent(kind))
  if (/^\/goals\/.*breakdown/.test(path)) return namesOfKind(query.by ?? '')
  return path === '/events' || path.startsWith('/events/') ? 'known' : 'closed'
}

/** A sentence without its quotations and the other texts that may not stay. One quotation that may is left as it is. */
const maskSentence = (text: string, keep: Keep, gone: ReadonlySet<string> = new Set()): string => {
  const [part] = quoted.exec(text) ?? []
  if (part === undefined) return withoutTexts(text, gone)
  const start = text.indexOf(part)
  const shown = !/[“”„«»]/.test(part) && keep(part.trim()) ? part : leftOut
  return [withoutTexts(text.slice(0, start), gone), shown, withoutTexts(text.slice(start + part.length), gone)].join('')
}

const withoutTexts = (sentence: string, gone: ReadonlySet<string>): string => {
  const texts = [...gone].filter(text => text.length > 1).sort((a, b) => b.length - a.length)
  if (texts.length === 0) return sentence
  const any = texts.map(text => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|')
  return sentence.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'gu'), leftOut)
}

const maskText = (text: string, key: string, { keep, own, names }: Masking, inProperties: boolean): string | null => {
  if (key === 'title') return null
  if (key === 'message' || key === 'hint') return maskSentence(text, keep)
  if (isUtm(key)) return own(text) ? text : leftOut
  if (written.has(key)) return keep(text) ? text : leftOut
  if (key === 'language') return isPlainTag(text) || isLanguageName(text) || keep(text) ? text : leftOut
  if (!nameFields.has(key)) return text
  if (inProperties || names === 'never') return own(text) ? text : leftOut
  return names === 'closed' || keep(text) ? text : leftOut
}

/** Leaves out what may not stay, wherever reports have it. */
const maskReport = (value: unknown, masking: Masking, key = '', inProperties = false): unknown => {
  if (typeof value === 'string') return maskText(value, key, masking, inProperties)
  if (Array.isArray(value)) return value.map(one => maskReport(one, masking, key, inProperties))
  if (!isPlain(value)) return value
  // A filter that nothing has: the value is the caller's, the nearest are visitors'.
  if (Array.isArray(value.nearest) && typeof value.key === 'string') {
    const names = namesOfKind(value.key)
    const near = value.nearest.map(text => maskText(String(text), 'value', { ...masking, names }, false))
    return { ...value, nearest: near.filter(text => text !== leftOut) }
  }
  const { names } = masking
  const tag = value.key ?? value.value
  // The name of a language says what its tag says.
  const rows = names === 'language' && typeof tag === 'string' && isPlainTag(tag) ? 'closed' : names
  const inside = rows === names ? masking : { ...masking, names: rows }
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      maskReport(part, inside, name, inProperties || name === 'properties'),
    ]),
  )
}

/** Answers of the advisor whose names may be texts of visitors: those of these reports. */
const writtenReports =
  /^\/?(?:utm|revenue\/by-(?:utm|landing)|events\/?|sources|pages|paths|content|realtime|refusals|sites|filters|goals\/.*breakdown|dimensions\/(?:language|host))/

/** Names in tiles and lists have no field that says what they are. */
const maskViz = (viz: unknown, masking: Masking): unknown => {
  const masked = maskReport(viz, masking)
  if (!isPlain(viz) || !isPlain(masked)) return masked
  const mask = (text: unknown): unknown => (typeof text === 'string' && !masking.keep(text) ? leftOut : text)
  const values = (list: unknown): unknown =>
    Array.isArray(list) ? list.filter(isPlain).map(one => ({ ...one, value: mask(one.value) })) : list
  const items = (list: unknown): unknown =>
    Array.isArray(list)
      ? list.filter(isPlain).map(one => {
          const key = mask(one.key)
          // The label of a key that stays is its translation, or the same.
          return { ...one, key, label: typeof key === 'string' && key !== leftOut ? one.label : mask(one.label) }
        })
      : list
  return {
    ...masked,
    ...('label' in viz && { label: mask(viz.label) }),
    ...('value' in viz && { value: mask(viz.value) }),
    ...('items' in viz && { items: items(viz.items) }),
    ...('facts' in viz && { facts: values(viz.facts) }),
    ...('evidence' in viz && { evidence: values(viz.evidence) }),
  }
}

const maskAnswer = (answer: Plain, masking: Masking): Plain => {
  const gone = new Set<string>()
  const inside = { ...masking, keep: noting(masking.keep, gone) }
  const report = isPlain(answer.source) ? String(answer.source.endpoint) : ''
  const viz = writtenReports.test(report) ? maskViz(answer.viz, inside) : maskReport(answer.viz, inside)
  // Sentences name what their rows hold, not always in quotation marks.
  const sentence = (text: unknown): unknown =>
    typeof text === 'string' ? maskSentence(text, masking.keep, gone) : text
  const message = isPlain(answer.viz) ? answer.viz.message : undefined
  return {
    ...answer,
    source: maskReport(answer.source, inside),
    viz: isPlain(viz) && message !== undefined ? { ...viz, message: sentence(message) } : viz,
    summary: sentence(answer.summary),
    ...(answer.hint !== undefined && { hint: sentence(answer.hint) }),
  }
}

const maskBody = (call: ApiCall, body: Plain, masking: Masking): Plain => {
  if (call.path.startsWith('/advisor/') && Array.isArray(body.answers)) {
    const answers = body.answers.filter(isPlain).map(answer => maskAnswer(answer, masking))
    const understood = isPlain(body.understood)
      ? { understood: { ...body.understood, filters: maskReport(body.understood.filters, masking) } }
      : {}
    const message = typeof body.message === 'string' ? { message: maskSentence(body.message, masking.keep) } : {}
    return { ...body, answers, ...understood, ...message }
  }
  // The rest of it are facts of the machine.
  if (call.path === '/diagnostics') return { ...body, findings: maskReport(body.findings, masking) }
  const masked = maskReport(body, { ...masking, names: namesOf(call) })
  return isPlain(masked) ? masked : body
}

/** Says which texts the call itself holds: the caller's own. */
const ownTexts = ({ path, query = {}, body }: ApiCall): Keep => {
  const question = isPlain(body) && typeof body.text === 'string' ? body.text.toLowerCase() : ''
  const given = [
    ...path.split('/').map(decodeURIComponent),
    ...Object.values(query),
    ...(isPlain(body) && isPlain(body.params) ? Object.values(body.params).map(String) : []),
  ]
  const texts = new Set(given.flatMap(text => [text, ...text.split(',')]).map(text => text.trim().replace(/^!/, '')))
  return text => texts.has(text) || (text !== '' && question.includes(text.toLowerCase()))
}

/** The answer to a call without what visitors wrote, as far as the site does not know it. */
export const maskVisitors = async (call: ApiCall, body: Plain, knownTexts: KnownTexts): Promise<Plain> => {
  const own = ownTexts(call)
  const isKept: Keep = text => isSiteWord(text) || own(text)
  const asked = new Set<string>()
  maskBody(call, body, { keep: noting(isKept, asked), own, names: 'closed' })
  const known = await knownTexts([...asked])
  return maskBody(call, body, { keep: text => isKept(text) || known.has(text), own, names: 'closed' })
}
