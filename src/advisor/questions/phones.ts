// What visits by phone and by computer say about each other.
import { ratio } from '../../reports/numbers.ts'
import { sameAsShare, sameShares } from '../chance.ts'
import type { QuestionContext } from '../question.ts'
import type { RowOf } from '../reports.ts'
import { sum } from '../shapes.ts'

export type Device = RowOf<'dimensions'>

export const kinds = ['desktop', 'mobile', 'tablet', 'tv', 'other'] as const
export const devices = ({ get }: Pick<QuestionContext, 'get'>) => get('dimensions', { limit: 200 }, { type: 'device' })
export const of = (rows: readonly Device[], kind: (typeof kinds)[number]) => rows.find(({ key }) => key === kind)
/** Above this share of phones a design should begin with them; below the lower one it need not. */
const mobileFirst = 0.5
const mobileRarely = 0.3

/** A share that chance could have put on either side of a limit is on neither. */
const designFor = (mobile: number, all: number): 'yes' | 'both' | 'no' =>
  mobile > all * mobileFirst && !sameAsShare(mobile, all, mobileFirst)
    ? 'yes'
    : mobile < all * mobileRarely && !sameAsShare(mobile, all, mobileRarely)
      ? 'no'
      : 'both'

export const mobileDesign = async (context: QuestionContext) => {
  const { data, source } = await devices(context)
  const [mobile, desktop, tablet] = [of(data, 'mobile'), of(data, 'desktop'), of(data, 'tablet')]
  const share = data.length === 0 ? null : (mobile?.share ?? 0)
  const all = sum(data, ({ sessions }) => sessions)
  const verdict = share === null ? 'not_enough_data' : designFor(mobile?.sessions ?? 0, all)
  const rate = (row: Device | undefined): number | null => (row === undefined ? null : ratio(row.bounces, row.sessions))
  const evidence = [
    { label: context.label('mobile'), value: share, unit: 'percent' as const },
    { label: context.label('desktop'), value: desktop?.share ?? (share === null ? null : 0), unit: 'percent' as const },
    { label: context.label('tablet'), value: tablet?.share ?? (share === null ? null : 0), unit: 'percent' as const },
    { label: context.label('mobile_bounce_rate'), value: rate(mobile), unit: 'percent' as const },
    { label: context.label('desktop_bounce_rate'), value: rate(desktop), unit: 'percent' as const },
  ]
  return {
    viz: { verdict, evidence },
    source,
    values: { verdict, share: { percent: share }, phones: mobile?.sessions ?? 0 },
    empty: share === null ? ('visits' as const) : undefined,
  }
}

export const bounceRate = ({ bounces, sessions }: Device): number | null => ratio(bounces, sessions)

/** Rates that differ by less than a percentage point are level, whatever their number. */
const minDifference = 0.01

/** Whether visits by phone ended after one page more often than those by computer. */
export const bouncesOf = (rows: readonly Device[]) => {
  const [phone, computer] = [of(rows, 'mobile'), of(rows, 'desktop')]
  const [mobile, desktop] = [phone, computer].map(row => (row === undefined ? null : bounceRate(row)))
  if (phone === undefined || computer === undefined || mobile == null || desktop == null)
    return { mobile: mobile ?? null, desktop: desktop ?? null, order: 'one' }
  const level =
    Math.abs(mobile - desktop) < minDifference ||
    sameShares(phone.bounces, phone.sessions, computer.bounces, computer.sessions)
  return { mobile, desktop, order: level ? 'same' : mobile > desktop ? 'more' : 'less' }
}
