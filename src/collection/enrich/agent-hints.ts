import { copyString } from '../../lib/lru-cache.ts'

/** The values of the `Sec-CH-UA…` headers as they came; `undefined` where a header was not sent. */
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

/** The number before the first dot, as text: '126.0.6478.127' → '126'. Anything else gives `null`. */
export const majorOf = (version: string | undefined): string | null => version?.match(/^(\d{1,4})(?!\d)/)?.[1] ?? null

/** Bounds what hostile headers can cost; no browser sends longer ones. */
export const cutHints = ({ brands, mobile, platform, platformVersion, model }: ClientHints): ClientHints => ({
  brands: brands?.slice(0, 512),
  mobile: mobile?.slice(0, 8),
  platform: platform?.slice(0, 64),
  platformVersion: platformVersion?.slice(0, 64),
  model: model?.slice(0, 64),
})

/** All of them together; no browser's are half as long. */
const longestKept = 300

/** As texts of their own, to be kept; null if they are too long for that. */
export const ownHints = ({ brands, mobile, platform, platformVersion, model }: ClientHints): ClientHints | null => {
  const texts = [brands, mobile, platform, platformVersion, model]
  if (texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) > longestKept) return null
  const own = (text: string | undefined): string | undefined => (text === undefined ? undefined : copyString(text))
  return {
    brands: own(brands),
    mobile: own(mobile),
    platform: own(platform),
    platformVersion: own(platformVersion),
    model: own(model),
  }
}

/** A structured-header string without its quotes; '' if there is none. */
export const unquote = (value: string | undefined): string => value?.match(/^\s*"([^"]*)"\s*$/)?.[1] ?? ''

/** The list of `Sec-CH-UA`, in the order sent; what is no brand is left out. */
export const parseBrands = (value: string | undefined): Brand[] =>
  [...(value ?? '').matchAll(/"([^"]{1,64})"\s?;\s?v="([\d.]{1,32})"/g)].map(([, name = '', version = '']) => ({
    name,
    version,
  }))
