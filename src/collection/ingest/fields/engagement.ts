import {
  commonFields,
  missingKey,
  number,
  pageOf,
  repeatId,
  wrongKeys,
  type Body,
  type CommonFields,
  type InvalidFields,
} from './common.ts'

/** The fields of an engagement update: figures so far of one view. */
export type EngagementFields = CommonFields & { pvid: string; seconds: number | null; scroll: number | null }

const longestView = 86_400

/** A body's fields as an engagement update, or what refuses it. */
export const parseEngagement = (body: Body, keep: readonly string[]): EngagementFields | InvalidFields => {
  const pvid = repeatId(body, 'pvid')
  if (pvid === null) return missingKey('pvid')
  const address = pageOf(body, keep)
  if (pvid === undefined || address === undefined)
    return wrongKeys({ pvid: pvid === undefined, page_url: address === undefined }) ?? missingKey('pvid')
  const trim = { count: 0 }
  return {
    pvid,
    seconds: number(body, 'engagement_time', longestView, trim),
    scroll: number(body, 'scroll_depth', 100, trim),
    ...commonFields(body, address?.host ?? null, trim),
  }
}
