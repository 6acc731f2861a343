// What of the filters applies to orders: where they came from. The rest is not known of them.
import { orderFilterKeys } from '../../reports/filters/table.ts'
import type { App } from './app-context.ts'
import { expandSegment } from './segments.ts'
import { type Filter, filterParams } from './url.ts'

const known: readonly string[] = orderFilterKeys

type Given = Pick<App, 'state' | 'segments'>

/** A saved segment applies if all of its filters do. */
const applies = (filter: Filter, { segments }: Given): boolean =>
  expandSegment([filter], segments.list).every(({ key }) => known.includes(key))

/** The filters that orders cannot be selected by. */
export const notOfOrders = (app: Given): Filter[] => app.state.filters.filter(filter => !applies(filter, app))

/** Parameters of a report about orders besides the range. */
export const orderParams = (app: Given): Record<string, string> => ({
  ...filterParams(app.state.filters.filter(filter => applies(filter, app))),
  ...(app.state.currency !== null && { currency: app.state.currency }),
})
