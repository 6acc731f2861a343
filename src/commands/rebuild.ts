import type { Db } from '../database/query.ts'
import { createProgress } from '../import/progress.ts'
import { type Day, dayText, toSeconds, type Zone } from '../lib/time.ts'
import { packDays } from '../packed/packed-days.ts'
import { sumPeriods } from '../rollup/periods.ts'
import { rebuildAll } from '../rollup/rebuild-all.ts'
import { chooseZone } from '../rollup/zone.ts'
import { countedStatuses } from '../shop/basis.ts'
import { createShopStore } from '../shop/store.ts'
import type { Command } from './command.ts'
import { noteCommand, withDatabaseAlone } from './database.ts'
import { count } from './listing.ts'

/** The first ten of a list of days. */
const firstDays = (days: readonly Day[]): string =>
  `${days.slice(0, 10).map(dayText).join(', ')}${days.length > 10 ? ' …' : ''}`

/** Orders are never purged, so all revenue can be recalculated. */
const rebuildRevenue = (db: Db, zone: Zone): number => {
  const paidStatuses = countedStatuses(db)
  return paidStatuses === null
    ? 0
    : createShopStore({ db, zone, paidStatuses, siteHosts: [], keepQuery: [] }).adopt(true)
}

export const rebuild: Command = {
  name: 'rebuild',
  example: 'rebuild',
  about:
    "Recalculate every day's figures from its visits, and revenue from its orders. Stop the service first. Days whose visits were deleted " +
    'keep their figures.',
  run: call => {
    const { clock, print } = call
    return withDatabaseAlone(call, 'rebuild', true, db => {
      const zone = chooseZone(db, null)
      const progress = createProgress(process.stderr, 'Recalculating days', clock)
      const { derived, changed, left } = rebuildAll(db, zone, (done, all) => progress.show(done / all, done))
      progress.clear()
      const today = zone.dayOf(toSeconds(clock()))
      sumPeriods(db, today)
      packDays(db, zone, today)
      const orders = rebuildRevenue(db, zone)
      noteCommand(call, db, 'rebuilt', {})
      print(
        `Recalculated ${count(derived.length, 'day')}. ` +
          (changed.length === 0
            ? 'No figures changed.'
            : `The figures of ${count(changed.length, 'day')} changed: ${firstDays(changed)}.`),
      )
      if (left.length > 0) print(`Skipped ${count(left.length, 'day')} whose visits were deleted: ${firstDays(left)}.`)
      if (orders > 0) print(`Recalculated the revenue of ${count(orders, 'order')}.`)
      return 0
    })
  },
}
