import { displayNames, listFormat, numberFormat } from '../lib/formats.ts'
import { moneyText } from '../lib/money-text.ts'
import { parseDay } from '../lib/time.ts'
import { longDate } from './phrases.ts'

/** A value in a sentence that needs locale-aware formatting. */
export type Figure =
  | { percent: number | null }
  | { seconds: number | null }
  | { date: string }
  | { money: number | null; currency: string | null }
  | { decimal: number | null }
  | { country: string | null }
  | { list: readonly string[] }

const unknown = '–'

const secondsText = (language: string, seconds: number): string => {
  const parts = [
    ['hour', Math.floor(seconds / 3600)],
    ['minute', Math.floor(seconds / 60) % 60],
    ['second', seconds % 60],
  ] as const
  const shown = parts.filter(([unit, count]) => count > 0 && (unit !== 'second' || seconds < 3600))
  const texts = (shown.length === 0 ? parts.slice(2) : shown).map(([unit, count]) =>
    numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
  )
  return listFormat(language, { type: 'conjunction' }).format(texts)
}

const amountText = (language: string, money: number, currency: string | null): string =>
  currency === null
    ? numberFormat(language, { minimumFractionDigits: 2 }).format(money)
    : moneyText(language, money, currency)

/** Formats a figure for a language. */
export const figureText = (language: string, figure: Figure): string => {
  if ('date' in figure) return longDate(language, parseDay(figure.date))
  if ('list' in figure) return listFormat(language, { type: 'conjunction' }).format(figure.list)
  if ('country' in figure)
    return figure.country === null
      ? unknown
      : (displayNames([language, 'en'], { type: 'region' }).of(figure.country) ?? figure.country)
  if ('percent' in figure)
    return figure.percent === null
      ? unknown
      : numberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(figure.percent)
  if ('decimal' in figure)
    return figure.decimal === null
      ? unknown
      : numberFormat(language, { maximumFractionDigits: 1 }).format(figure.decimal)
  if ('seconds' in figure) return figure.seconds === null ? unknown : secondsText(language, figure.seconds)
  return figure.money === null ? unknown : amountText(language, figure.money, figure.currency)
}
