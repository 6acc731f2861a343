import { numberFormat } from './formats.ts'

/** Codes of ISO 4217 are of three letters. */
export const isoCode = /^[A-Za-z]{3}$/

/** A currency as it is stored: a code of ISO 4217, or one of a shop's own, such as USDT. */
export const currencyCode = /^(?:[A-Z]{3}|[A-Z][A-Z\d_-]{3,15})$/
/** As it may be written: codes of ISO 4217 also in small letters. */
export const writtenCurrency = /^(?:[A-Za-z]{3}|[A-Z][A-Z\d_-]{3,15})$/

const known = new Set(Intl.supportedValuesOf('currency'))

/** From here on, cents say nothing. */
export const million = 1_000_000

const wholeFrom = (value: number): Intl.NumberFormatOptions =>
  Math.abs(value) < million ? {} : { minimumFractionDigits: 0, maximumFractionDigits: 0 }

/** An amount in a language; from a million on without cents. */
export const moneyText = (
  language: string,
  value: number,
  currency: string,
  options: Intl.NumberFormatOptions = wholeFrom(value),
): string =>
  known.has(currency)
    ? numberFormat(language, { style: 'currency', currency, ...options }).format(value)
    : `${numberFormat(language, { minimumFractionDigits: 0, maximumFractionDigits: 8 }).format(value)}\u00a0${currency}`
