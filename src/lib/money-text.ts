import { numberFormat } from './formats.ts'

const known = new Set(Intl.supportedValuesOf('currency'))

/** An amount in a language; shops also use codes that no list of currencies has, such as BTC and USDT. */
export const moneyText = (
  language: string,
  value: number,
  currency: string,
  options: Intl.NumberFormatOptions = {},
): string =>
  known.has(currency)
    ? numberFormat(language, { style: 'currency', currency, ...options }).format(value)
    : `${numberFormat(language, { minimumFractionDigits: 0, maximumFractionDigits: 8 }).format(value)}\u00a0${currency}`
