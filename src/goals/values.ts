// What goals are worth.
import type { Amounts } from '../shop/amounts.ts'
import { digitsOf, toMajor } from '../shop/money.ts'

export const valueSources = ['none', 'fixed', 'event', 'order'] as const
export type ValueSource = (typeof valueSources)[number]

/** What a goal is worth: `value` is the fixed one. */
export type GoalWorth = { valueFrom: ValueSource; value: number | null }

/** Sums of fractions differ in their last digits by the order of addition. */
const decimals = 1e6
const rounded = (sum: number): number => Math.round(sum * decimals) / decimals

/** The value of what was counted; null for a goal without. Orders are in the given currency. */
export const goalValue = (
  { valueFrom, value }: GoalWorth,
  counted: { sessions: number; value: number; amounts: Amounts },
  currency: string | null,
): number | null => {
  switch (valueFrom) {
    case 'none':
      return null
    case 'fixed':
      return rounded(counted.sessions * (value ?? 0))
    case 'event':
      return rounded(counted.value)
    case 'order':
      return currency === null ? 0 : toMajor(counted.amounts[currency] ?? 0n, digitsOf(currency))
  }
}

/** The value of each of a number of sessions, with 4 decimals. */
export const valuePerSession = (value: number | null, sessions: number): number | null =>
  value === null || sessions === 0 ? null : Math.round((value * 10_000) / sessions) / 10_000
