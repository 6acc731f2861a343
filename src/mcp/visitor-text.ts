// What visitors wrote goes to a language model: made plain, and on request left out.
import { channels } from '../channel/channels.ts'
import { listServices } from '../channel/listed-services.ts'
import { isPlain, type Plain } from '../commands/report-tables.ts'
import { lazy } from '../lib/lazy.ts'
import type { ApiCall } from './api.ts'
import { plainSentence, plainValue, quoted } from './plain-text.ts'

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

const isUtm = (key: string): boolean => /^utm_/.test(key)
const isWritten = (key: string): boolean => isUtm(key) || /^(property|source)\b/.test(key)

/** A source is a host, a service of the lists, or else what a campaign's address says. */
const knownSources = lazy<ReadonlySet<string>>(
  () => new Set(['Direct', '(not set)', ...channels, ...listServices().map(({ name }) => name)]),
)
const isKnownSource = (name: string): boolean => knownSources().has(name) || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)

/** The fields that hold what visitors wrote, by the endpoint: those of every row, and those of lists of values. */
const isOfValues = ({ path, query = {} }: ApiCall): boolean => {
  const [, filter = ''] = /^\/filters\/(.+)$/.exec(path) ?? []
  return isWritten(decodeURIComponent(filter)) || (/^\/goals\/.*breakdown/.test(path) && isWritten(query.by ?? ''))
}

/** Answers of the advisor whose names may be titles, UTM values or properties: those of these reports. */
const writtenReports = /^\/?(?:utm|revenue\/by-utm|events\/|sources|pages|content|realtime)/

const maskText = (value: unknown): unknown => (typeof value === 'string' ? leftOut : value)

/** Leaves out titles, UTM values and properties, wherever reports have them. */
const maskReport = (value: unknown, ofValues: boolean, inProperties = false): unknown => {
  if (Array.isArray(value)) return value.map(one => maskReport(one, ofValues, inProperties))
  if (!isPlain(value)) return value
  // A filter that nothing has: the value is the caller's, the nearest are visitors'.
  if (Array.isArray(value.nearest) && typeof value.key === 'string')
    return isWritten(value.key) ? { ...value, nearest: [] } : value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      if (typeof part !== 'string') return [key, maskReport(part, ofValues, inProperties || key === 'properties')]
      if (key === 'title') return [key, null]
      if (isUtm(key)) return [key, leftOut]
      if (key === 'source') return [key, isKnownSource(part) ? part : leftOut]
      const isName = key === 'key' || key === 'value' || key === 'label'
      return [key, isName && (ofValues || inProperties) ? leftOut : part]
    }),
  )
}

/** Names in tiles and lists have no field that says what they are. */
const maskViz = (viz: unknown): unknown => {
  if (!isPlain(viz)) return viz
  const masked = maskReport(viz, false)
  const names = (list: unknown, fields: readonly string[]): unknown =>
    Array.isArray(list)
      ? list.map(one => ({
          ...one,
          ...Object.fromEntries(
            fields.map(field => [field, isKnownSource(String(one[field])) ? one[field] : maskText(one[field])]),
          ),
        }))
      : list
  return {
    ...(isPlain(masked) && masked),
    ...('value' in viz && { value: maskText(viz.value) }),
    ...('items' in viz && { items: names(viz.items, ['key', 'label']) }),
    ...('facts' in viz && { facts: names(viz.facts, ['value']) }),
    ...('evidence' in viz && { evidence: names(viz.evidence, ['value']) }),
  }
}

/** The sources in the rows, which sentences name without quotation marks. */
const sourcesIn = (viz: unknown): string[] =>
  isPlain(viz) && Array.isArray(viz.rows)
    ? viz.rows.filter(isPlain).flatMap(({ source }) => (typeof source === 'string' && source !== '' ? [source] : []))
    : []

/** The sentence without its quotations and the sources that are not known. */
const maskSentence = (text: string, viz: unknown): string =>
  sourcesIn(viz)
    .filter(source => !isKnownSource(source))
    .map(
      source =>
        new RegExp(`(?<![\\p{L}\\p{N}])${source.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'gu'),
    )
    .reduce((rest, source) => rest.replace(source, leftOut), text.replace(quoted, leftOut))

const maskAnswer = (answer: Plain): Plain => {
  const { viz, source } = answer
  const report = isPlain(source) ? String(source.endpoint) : ''
  const masked = writtenReports.test(report) ? maskViz(viz) : maskReport(viz, false)
  const sentence = (text: unknown): unknown => (typeof text === 'string' ? maskSentence(text, viz) : text)
  return {
    ...answer,
    summary: sentence(answer.summary),
    viz: isPlain(masked) && 'message' in masked ? { ...masked, message: sentence(masked.message) } : masked,
  }
}

/** The answer to a call without what visitors wrote. */
export const maskVisitors = (call: ApiCall, body: Plain): Plain => {
  if (call.path.startsWith('/advisor/') && Array.isArray(body.answers))
    return { ...body, answers: body.answers.filter(isPlain).map(maskAnswer) }
  const masked = maskReport(body, isOfValues(call))
  return isPlain(masked) ? masked : body
}
