import { copyString } from '../../lib/lru-cache.ts'

/** The raw values of the `Sec-CH-UA…` headers; `undefined` for a header that was not sent. */
export type ClientHints = {
  /** Sec-CH-UA-Full-Version-List, or Sec-CH-UA */
  brands: string | undefined
  /** Sec-CH-UA-Mobile: `?1` or `?0` */
  mobile: string | undefined
  platform: string | undefined
  platformVersion: string | undefined
  model: string | undefined
}

export type Brand = { name: string; version: string }

/** The hints among the headers of a request. */
export const hintsOf = (headers: { get: (name: string) => string | null | undefined }): ClientHints => {
  const value = (name: string): string | undefined => headers.get(name) ?? undefined
  return {
    brands: value('sec-ch-ua-full-version-list') ?? value('sec-ch-ua'),
    mobile: value('sec-ch-ua-mobile'),
    platform: value('sec-ch-ua-platform'),
    platformVersion: value('sec-ch-ua-platform-version'),
    model: value('sec-ch-ua-model'),
  }
}

/** The number before the first dot, as text: '126.0.6478.127' → '126'; `null` for anything else. */
export const majorOf = (version: string | undefined): string | null => version?.match(/^(\d{1,4})(?!\d)/)?.[1] ?? null

/** Limits what hostile headers can cost; no browser sends longer ones. */
export const truncateHints = ({ brands, mobile, platform, platformVersion, model }: ClientHints): ClientHints => ({
  brands: brands?.slice(0, 512),
  mobile: mobile?.slice(0, 8),
  platform: platform?.slice(0, 64),
  platformVersion: platformVersion?.slice(0, 64),
  model: model?.slice(0, 64),
})

/** Total length; no browser's hints are half as long. */
const maxCachedLength = 300

/** Copies for the cache; null if they are too long to be cached. */
export const copyHints = ({ brands, mobile, platform, platformVersion, model }: ClientHints): ClientHints | null => {
  const texts = [brands, mobile, platform, platformVersion, model]
  if (texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) > maxCachedLength) return null
  const copy = (text: string | undefined): string | undefined => (text === undefined ? undefined : copyString(text))
  return {
    brands: copy(brands),
    mobile: copy(mobile),
    platform: copy(platform),
    platformVersion: copy(platformVersion),
    model: copy(model),
  }
}

/** A structured-header string without its quotes; '' if there is none. */
export const unquote = (value: string | undefined): string => value?.match(/^\s*"([^"]*)"\s*$/)?.[1] ?? ''

/** The brands of `Sec-CH-UA`, in the order sent; invalid items are skipped. */
export const parseBrands = (value: string | undefined): Brand[] =>
  [...(value ?? '').matchAll(/"([^"]{1,64})"\s?;\s?v="([\d.]{1,32})"/g)].map(([, name = '', version = '']) => ({
    name,
    version,
  }))
