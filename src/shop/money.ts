// Amounts are integers of minor units from the shop's text to the response; nothing is summed in floating point.

/** Currencies with other than two decimal places, from ISO 4217. */
const specialDigits: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
}

/** Codes that shops use for what is no currency of ISO 4217. */
const coins: Readonly<Record<string, number>> = { BTC: 8, XBT: 8, ETH: 8, LTC: 8, BCH: 8, XMR: 8, XRP: 6 }

/** Decimal places of a code that is not of three letters: those with which the shop's amounts are asked for. */
const ownDigits = 6

/** The number of decimal places of a currency. */
export const digitsOf = (currency: string): number =>
  specialDigits[currency] ?? coins[currency] ?? (currency.length === 3 ? 2 : ownDigits)

const decimal = /^([+-]?)(\d*)(?:\.(\d*))?$/
const maxLength = 40

/** a ÷ b, rounded half away from zero. b must not be 0. */
export const divide = (a: bigint, b: bigint): bigint => {
  const [numerator, denominator] = b < 0n ? [-a, -b] : [a, b]
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (2n * magnitude + denominator) / (2n * denominator)
  return numerator < 0n ? -rounded : rounded
}

const parts = (text: string): readonly [sign: string, digits: string, scale: number] | null => {
  const [match, sign = '', whole = '', fraction = ''] = (text.length > maxLength ? null : decimal.exec(text)) ?? []
  return match === undefined || whole + fraction === '' ? null : [sign, whole + fraction, fraction.length]
}

/**
 * Parses a decimal text (or number) into integer units of 10^-digits, rounded half away from zero.
 * @returns null if it is not a decimal, or too large to be exact
 */
export const parseDecimal = (value: string | number, digits: number): number | null => {
  const parsed = parts(typeof value === 'number' ? String(value) : value.trim())
  if (parsed === null) return null
  const [sign, all, scale] = parsed
  const units =
    scale <= digits ? BigInt(all) * 10n ** BigInt(digits - scale) : divide(BigInt(all), 10n ** BigInt(scale - digits))
  const result = Number(sign === '-' ? -units : units)
  return Number.isSafeInteger(result) ? result + 0 : null
}

/** Minor units as an exact decimal text in major units. */
export const majorText = (minor: bigint, digits: number): string => {
  const size = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0')
  const point = size.length - digits
  return `${minor < 0n ? '-' : ''}${size.slice(0, point)}${digits === 0 ? '' : '.'}${size.slice(point)}`
}

/** Minor units as the number in major units that is nearest to the exact value. */
export const toMajor = (minor: bigint, digits: number): number => Number(majorText(minor, digits)) + 0
