// What goals are worth.
import { digitsOf, toMajor } from '../../shop/money.ts'
import type { Amounts } from '../messages.ts'
import type { GoalDefinition } from './definitions.ts'

/** Sums of fractions differ in their last digits by the order of addition. */
const decimals = 1e6
const rounded = (sum: number): number => Math.round(sum * decimals) / decimals

/** The value of what was counted; null for a goal without. Orders are in the given currency. */
export const goalValue = (
  { valueFrom, value }: Pick<GoalDefinition, 'valueFrom' | 'value'>,
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
