import { hash } from 'node:crypto'
import { memoize } from '../../lib/lru-cache.ts'
import { labelText, storedHost } from './page.ts'
import { cleanText, redactAndCut, redactText } from './text.ts'
import {
  type Body,
  type CommonFields,
  commonFields,
  type InvalidFields,
  invalidKeys,
  missingKey,
  pageOf,
  parseOptional,
  repeatId,
  type Trim,
} from './values.ts'

/** The fields of a custom event. */
export type EventFields = CommonFields & {
  name: string
  pvid: string | null
  eventId: string | null
  /** At most ten, with distinct keys; numbers and booleans as text. */
  properties: readonly (readonly [key: string, value: string])[]
  value: number | null
  orderId: string | null
}

const maxNameLength = 100
/** Of longer names the rest is dropped. */
const nameLength = 64
const maxProperties = 10
const keyLength = 40
const valueLength = 200
const orderLength = 40

/** Values beyond this, either way, count as absent: sums stay finite. Statements apply it to values of older versions. */
const maxValue = 1e12

/** The value of an event; null if it is not a number within the limit. */
export const eventValue = (value: unknown): number | null =>
  typeof value === 'number' && Math.abs(value) <= maxValue ? value : null

/** Letters, marks and digits of all scripts, with the joiners that some need; `_ . : -` and spaces. */
const otherSign = /(?!\u200c|\u200d)[^\p{L}\p{M}\p{N}_.: -]/gu

/** Cached: a site has few names. */
const cleanName = memoize(1000, (value): string | null => {
  const name = redactAndCut(cleanText(value.normalize()).replace(/\p{Zs}+/gu, ' '), nameLength, redactText)
    .replace(otherSign, '_')
    .trim()
  return name === '' ? null : name
})

/** The name of an event: other signs become `_`; null for none or one that is too long. */
export const eventName = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= maxNameLength ? cleanName(value) : null

const propertyText = (value: unknown, trim: Trim): string | null => {
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return null
  if (value.length > valueLength) trim.count += 1
  return labelText(value, valueLength)
}

/** At most ten properties, with distinct keys and their values as text. */
export const parseProperties = (value: unknown, trim: Trim): [string, string][] => {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object' || Array.isArray(value)) {
    trim.count += 1
    return []
  }
  const properties = new Map<string, string>()
  for (const [given, property] of Object.entries(value)) {
    const key = labelText(given, keyLength)
    const text = propertyText(property, trim)
    if (given.length > keyLength) trim.count += 1
    if (key === null || text === null || properties.has(key) || properties.size === maxProperties) trim.count += 1
    else properties.set(key, text)
  }
  return [...properties]
}

const parseOrder = (value: unknown): string | null => {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return labelText(String(value), orderLength)
}

/**
 * A visitor buys an order once, however often its page is opened. Short, as ids within one visitor are: otherwise a
 * stranger who guesses the numbers of orders could take the place of those who buy. No client can send `#` in an id.
 */
const purchaseId = (orderId: string, host: string): string =>
  `#${hash('sha256', `${orderId} ${storedHost(host)}`, 'base64url').slice(0, 14)}`

/** Parses the body of an event. */
export const parseEvent = (body: Body, keep: readonly string[]): EventFields | InvalidFields => {
  const given = body.name ?? body.event_name
  if (given === undefined || given === null) return missingKey('name')
  const name = eventName(given)
  const address = pageOf(body, keep)
  const pvid = repeatId(body, 'pvid')
  const eventId = repeatId(body, 'event_id')
  if (name === null || address === undefined || pvid === undefined || eventId === undefined) {
    return (
      invalidKeys({
        name: name === null,
        page_url: address === undefined,
        pvid: pvid === undefined,
        event_id: eventId === undefined,
      }) ?? missingKey('name')
    )
  }
  const trim = { count: 0 }
  const properties = parseProperties(body.properties, trim)
  const value = parseOptional(body.value, trim, eventValue)
  const orderId = parseOptional(body.order_id, trim, parseOrder)
  return {
    name,
    pvid,
    eventId: name === 'purchase' && orderId !== null ? purchaseId(orderId, address?.host ?? '') : eventId,
    properties,
    value,
    orderId,
    ...commonFields(body, address, trim),
  }
}
