// What the operator says of hosts, sources and networks, in place of the lists: the file of --sources.
import { parseAddressList } from '../lib/address/list.ts'
import { type Channel, channels } from './channels.ts'
import type { List, Service } from './lists.ts'
import { type Place, placeOf } from './referrer.ts'
import { serviceNamed, shortForm } from './services.ts'

/** A service whose channel is said, not derived from a list. */
export type CorrectedService = Service & { channel: Channel }

export type Corrections = {
  /** By bare host, `app:` and a package, or, behind `=`, the short form of a utm_source. */
  services: ReadonlyMap<string, CorrectedService>
  /** Addresses and networks of machines, and of people. */
  networks: { servers: readonly string[]; people: readonly string[] }
}

export const noCorrections: Corrections = { services: new Map(), networks: { servers: [], people: [] } }

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

type Parsed = { key: string; service: CorrectedService } | { key: string; network: string; of: 'servers' | 'people' }

const parseNetwork = (network: string, of: 'servers' | 'people', name: string | undefined): Parsed | string => {
  if (name !== undefined) return `'${shown(network)}' has a name, which networks have not.`
  if (parseAddressList([network]).invalid.length > 0) return `'${shown(network)}' is neither an address nor a network.`
  return { key: `network:${network.toLowerCase()}`, network, of }
}

const parseLine = (text: string): Parsed | string => {
  const [, source = '', said = '', name] = line.exec(text) ?? []
  if (source === '') return `'${shown(text)}' is not 'HOST-OR-SOURCE → CHANNEL, NAME' or 'NETWORK → Servers'.`
  const word = said.toLowerCase()
  if (word === 'servers' || word === 'people') return parseNetwork(source, word, name)
  const channel = channels.find(each => each.toLowerCase() === word)
  if (channel === undefined)
    return `'${shown(said)}' is no channel. The channels are ${channels.join(', ')}; a network is Servers or People.`
  const key = keyOf(source)
  if (key === null) return `'${shown(source)}' is neither a host nor a source.`
  return { key, service: { name: name ?? serviceNamed(source)?.name ?? source, list: listOf[channel], channel } }
}

/**
 * Parses the lines of a file: `HOST-OR-SOURCE → CHANNEL`, and a name behind a comma, or `NETWORK → Servers` or `People`;
 * `#` starts a comment.
 * @returns the corrections, or a sentence that says which line is wrong, and how
 */
export const parseCorrections = (text: string): Corrections | string => {
  const keys = new Set<string>()
  const services = new Map<string, CorrectedService>()
  const networks = { servers: [] as string[], people: [] as string[] }
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const content = raw.replace(/(?:^|\s)#.*/, '').trim()
    if (content === '') continue
    const parsed = parseLine(content)
    if (typeof parsed === 'string') return `line ${index + 1}: ${parsed}`
    if (keys.has(parsed.key)) return `line ${index + 1}: '${shown(content)}' says again what an earlier line says.`
    keys.add(parsed.key)
    if ('service' in parsed) services.set(parsed.key, parsed.service)
    else networks[parsed.of].push(parsed.network)
  }
  return { services, networks }
}

/** The correction of a referrer's host, or of the closest domain above it. */
export const correctedAt = ({ services }: Corrections, { host, app }: Place): CorrectedService | null => {
  if (services.size === 0) return null
  if (app) return services.get(`app:${host}`) ?? null
  for (let at = 0; at < host.length; ) {
    const found = services.get(host.slice(at))
    if (found !== undefined) return found
    const dot = host.indexOf('.', at)
    at = dot === -1 ? host.length : dot + 1
  }
  return null
}

/** The correction of a utm_source, by its host or by its letters and digits. */
export const correctedSource = (corrections: Corrections, source: string): CorrectedService | null => {
  if (corrections.services.size === 0) return null
  const place = source.includes('.') ? placeOf(source.includes('://') ? source : `https://${source}`) : null
  return (place && correctedAt(corrections, place)) ?? corrections.services.get(`=${shortForm(source)}`) ?? null
}
