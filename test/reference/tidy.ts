// What is left of an answer in the API reference: two rows of each list, and nothing that changes from run to run.
import type { Example } from '../../src/http/openapi.ts'

const rows = 2
const linesOfText = 8

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Of the definitions of metrics one is enough. */
const short = (key: string, value: unknown): unknown =>
  key === 'definitions' && isObject(value) ? Object.fromEntries(Object.entries(value).slice(0, 1)) : shorten(value)

export const shorten = (value: unknown): unknown => {
  if (typeof value === 'string') return value.split('\n').slice(0, linesOfText).join('\n')
  if (Array.isArray(value)) return value.slice(0, rows).map(shorten)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, short(key, one)]))
}

/** Values that are secrets, or differ with every run and machine: what they look like, and what replaces them. */
const placeholders: Readonly<Record<string, readonly [RegExp, unknown]>> = {
  nonce: [/^\w{10,}$/, '5d1e0f3b7c9a42e6'],
  token: [/^[\w-]{16,}$/, 'Zk3vQx8mT1c0aWb7rL5yHd2eJf9uGs4i'],
  secret: [/^[A-Z2-7]{16,}$/, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  uri: [/^otpauth:/, 'otpauth://totp/Footfall:admin?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Footfall'],
  recovery_codes: [/,/, ['4f7k-92mq-c8xt', 'p3wd-6hza-r5vn']],
  code: [/^\d{6}$/, '492039'],
  password: [/^\w{4}( \w{4}){5}$/, 'xxxx xxxx xxxx xxxx xxxx xxxx'],
  duration_ms: [/^[\d.]+$/, 12],
  last_duration_ms: [/^[\d.]+$/, 12],
  size_bytes: [/^\d+$/, 41_943_040],
  wal_bytes: [/^\d+$/, 1_048_576],
  uptime_seconds: [/^\d+$/, 86_400],
  memory_bytes: [/^\d+$/, 134_217_728],
  disk_free_bytes: [/^\d+$/, 21_474_836_480],
}

const placeholderOf = (key: string, value: unknown): unknown => {
  const [looks, placeholder] = placeholders[key] ?? []
  return looks?.test(String(value)) === true ? placeholder : value
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** `texts` replace the addresses and folders of this run. */
export const tidy = (recorded: ReadonlyMap<string, Example>, texts: readonly (readonly [string, string])[]) => {
  const uuids = new Map<string, string>()
  const uuidOf = (found: string): string => {
    const number = String(uuids.size + 1).padStart(2, '0')
    const replacement = uuids.get(found) ?? `0190b3c4-5d6e-4f70-8a9b-0c1d2e3f40${number}`
    uuids.set(found, replacement)
    return replacement
  }
  const textOf = (text: string): string =>
    texts.reduce((result, [found, replacement]) => result.replaceAll(found, replacement), text).replace(uuid, uuidOf)
  const tidied = (value: unknown): unknown => {
    if (typeof value === 'string') return textOf(value)
    if (Array.isArray(value)) return value.map(tidied)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const placeholder = placeholderOf(key, one)
        return [textOf(key), placeholder === one ? tidied(one) : placeholder]
      }),
    )
  }
  return new Map([...recorded].map(([name, example]) => [name, tidied(example) as Example]))
}
