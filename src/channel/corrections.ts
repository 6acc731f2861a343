// What the operator says of hosts and sources, in place of the lists: the file of --sources.
import { type Channel, channels } from './channels.ts'
import type { List, Service } from './lists.ts'
import { type Place, placeOf } from './referrer.ts'
import { serviceNamed, shortForm } from './services.ts'

/** A service whose channel is said, not derived from a list. */
export type CorrectedService = Service & { channel: Channel }

/** By bare host, `app:` and a package, or, behind `=`, the short form of a utm_source. */
export type Corrections = ReadonlyMap<string, CorrectedService>

export const noCorrections: Corrections = new Map()

/** What the rules for ads and newsletters take such a service for. */
const listOf: Record<Channel, List> = {
  Direct: 'referral',
  'AI Assistants': 'ai',
  'Organic Search': 'search',
  'Social Media': 'social',
  Email: 'mail',
  Referral: 'referral',
  'Paid Search': 'ads',
  'Paid Social': 'social',
}

/** What of a wrong line is shown. */
const shown = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 80)}…`)

const line = /^(\S+)\s*(?:→|=>|=)\s*([^,]+?)\s*(?:,\s*(\S.*))?$/

/** The host or package, or a source; null for anything else, such as an address with a path: a file knows no pages. */
const keyOf = (text: string): string | null => {
  if (!text.includes('.') && !text.includes('://')) return shortForm(text) === '' ? null : `=${shortForm(text)}`
  const address = text.includes('://') ? text : `https://${text}`
  if (/^[^:]+:\/\/[^/?#]*[/?#]./.test(address)) return null
  const place = placeOf(address)
  return place === null ? null : `${place.app ? 'app:' : ''}${place.host}`
}

const parseLine = (text: string): [key: string, service: CorrectedService] | string => {
  const [, source = '', channelText = '', name] = line.exec(text) ?? []
  if (source === '') return `'${shown(text)}' is not 'HOST-OR-SOURCE → CHANNEL, NAME'.`
  const channel = channels.find(each => each.toLowerCase() === channelText.toLowerCase())
  if (channel === undefined) return `'${shown(channelText)}' is no channel. The channels are ${channels.join(', ')}.`
  const key = keyOf(source)
  if (key === null) return `'${shown(source)}' is neither a host nor a source.`
  return [key, { name: name ?? serviceNamed(source)?.name ?? source, list: listOf[channel], channel }]
}

/**
 * Parses the lines of a file: `HOST-OR-SOURCE → CHANNEL`, and a name behind a comma; `#` starts a comment.
 * @returns the corrections, or a sentence that says which line is wrong, and how
 */
export const parseCorrections = (text: string): Corrections | string => {
  const corrections = new Map<string, CorrectedService>()
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const content = raw.replace(/(?:^|\s)#.*/, '').trim()
    if (content === '') continue
    const parsed = parseLine(content)
    if (typeof parsed === 'string') return `line ${index + 1}: ${parsed}`
    if (corrections.has(parsed[0]))
      return `line ${index + 1}: '${shown(content)}' says again what an earlier line says.`
    corrections.set(...parsed)
  }
  return corrections
}

/** The correction of a referrer's host, or of the closest domain above it. */
export const correctedAt = (corrections: Corrections, { host, app }: Place): CorrectedService | null => {
  if (corrections.size === 0) return null
  if (app) return corrections.get(`app:${host}`) ?? null
  for (let at = 0; at < host.length; ) {
    const found = corrections.get(host.slice(at))
    if (found !== undefined) return found
    const dot = host.indexOf('.', at)
    at = dot === -1 ? host.length : dot + 1
  }
  return null
}

/** The correction of a utm_source, by its host or by its letters and digits. */
export const correctedSource = (corrections: Corrections, source: string): CorrectedService | null => {
  if (corrections.size === 0) return null
  const place = source.includes('.') ? placeOf(source.includes('://') ? source : `https://${source}`) : null
  return (place && correctedAt(corrections, place)) ?? corrections.get(`=${shortForm(source)}`) ?? null
}
