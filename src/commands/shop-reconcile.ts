import { shopKey } from '../config/environment.ts'
import { UsageError } from '../config/errors.ts'
import { options, readOptions } from '../config/config.ts'
import { createProgress } from '../import/progress.ts'
import { chooseZone } from '../rollup/zone.ts'
import { countedStatuses } from '../shop/basis.ts'
import type { ShopClient } from '../shop/client.ts'
import { compareOrders, type Compared, type Finding } from '../shop/compare.ts'
import { connectShop, missingForShop } from '../shop/connect.ts'
import type { Cause } from '../shop/difference.ts'
import { ShopError } from '../shop/errors.ts'
import { digitsOf, majorText, toMajor } from '../shop/money.ts'
import { pause, withBackoff } from '../shop/backoff.ts'
import type { DaySums, TalliedDay } from '../shop/tally.ts'
import { dayText, toSeconds, type Day, type Zone } from '../lib/time.ts'
import { CommandError, type Call, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { jsonFlag, printRows } from './listing.ts'
import { readDays } from './range.ts'

const sentences: Readonly<Record<Cause, string>> = {
  missing_here: 'missing here',
  deleted_here: 'deleted here, but not in the shop',
  missing_in_shop: 'not in the shop any more',
  trashed: "in the shop's bin",
  older_here: 'an older state here',
  newer_here: 'an older state in the shop',
  refund_lines_unknown: 'what was refunded is not known here',
  differs: 'the same state with other content',
  unreadable: 'cannot be read',
}

const dateOrNull = (day: Day | null): string | null => (day === null ? null : dayText(day))

const sidesText = (shop: string | null, here: string | null): string =>
  `shop ${shop === '' ? '-' : (shop ?? '-')}, here ${here === '' ? '-' : (here ?? '-')}`

const findingText = ({ id, day, cause, reason, fields }: Finding): string =>
  [
    `${String(id).padStart(8)}  ${dateOrNull(day) ?? '-'.padEnd(10)}  ${sentences[cause]}`,
    ...(reason === null ? [] : [reason]),
    ...fields.map(({ field, shop, here }) => `${field} (${sidesText(shop, here)})`),
  ]
    .join('; ')
    .replace('; ', ': ')

const findingJson = ({ id, day, cause, reason, fields }: Finding) => ({
  id,
  date: dateOrNull(day),
  cause,
  ...(reason !== null && { reason }),
  ...(fields.length > 0 && { fields }),
})

const sumsJson = ({ orders, total, tax, shipping, refunds, refunded }: DaySums, digits: number) => {
  const money = (minor: bigint): number => toMajor(minor, digits)
  return {
    orders,
    gross_revenue: money(total),
    tax_total: money(tax),
    shipping_total: money(shipping),
    refunds,
    refund_total: money(refunded),
  }
}

const dayJson = ({ day, currency, shop, here }: TalliedDay) => ({
  date: dayText(day),
  currency,
  shop: sumsJson(shop, digitsOf(currency)),
  here: sumsJson(here, digitsOf(currency)),
})

/** One text where both sides agree, else both. */
const cell = (shop: string, here: string): string => (shop === here ? shop : `${shop} ≠ ${here}`)

const dayRow = ({ day, currency, shop, here }: TalliedDay) => {
  const money = (name: 'total' | 'tax' | 'shipping' | 'refunded'): string =>
    cell(majorText(shop[name], digitsOf(currency)), majorText(here[name], digitsOf(currency)))
  const count = (name: 'orders' | 'refunds'): string => cell(String(shop[name]), String(here[name]))
  return {
    date: dayText(day),
    currency,
    orders: count('orders'),
    gross_revenue: money('total'),
    tax_total: money('tax'),
    shipping_total: money('shipping'),
    refunds: count('refunds'),
    refund_total: money('refunded'),
  }
}

/** What is printed during the comparison, and at the end. */
type Printer = {
  onFinding: (finding: Finding) => void
  end: (compared: Compared, differing: number, unsettled: readonly number[]) => void
}

type About = { from: Day; to: Day; zone: Zone; client: ShopClient }

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

const forPeople = (call: Call, { from, to, zone }: About): Printer => ({
  onFinding: finding => call.print(findingText(finding)),
  end: ({ days, compared }, differing, unsettled) => {
    if (differing > 0) call.print('')
    if (days.length > 0) printRows({ ...call, flags: {} }, days.map(dayRow), '')
    if (days.length > 0 && differing > 0) call.print('Where the two sides differ, the shop stands first.')
    call.print(
      `${days.length > 0 ? '\n' : ''}${counted(compared, 'order')} from ${dayText(from)} to ${dayText(to)} (${zone.name}): ${differing === 0 ? 'shop and file are equal.' : `${differing.toLocaleString('en')} ${differing === 1 ? 'differs' : 'differ'}.`}`,
    )
    if (unsettled.length > 0)
      call.print(
        `${counted(unsettled.length, 'order')} changed in the shop meanwhile and ` +
          `${unsettled.length === 1 ? 'is' : 'are'} left out: ` +
          `${unsettled.slice(0, 20).join(', ')}${unsettled.length > 20 ? ' …' : ''}.`,
      )
    if (differing > 0)
      call.warn(
        "'footfall shop fetch' fetches recent changes; an import of these days (POST " +
          '/analytics/v1/revenue/backfill) fetches all orders.',
      )
  },
})

/** One object, written piece by piece: a list of differences may be long. */
const forPrograms = ({ print }: Call, { from, to, zone, client }: About): Printer => {
  let comma = ''
  const indented = (value: unknown, by: string): string => JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`)
  print(
    `{\n  "from": "${dayText(from)}",\n  "to": "${dayText(to)}",\n  "timezone": ` +
      `${JSON.stringify(zone.name)},\n  "shop": ${JSON.stringify(client.address)},\n  "differences": [`,
  )
  return {
    onFinding: finding => {
      print(`${comma}    ${indented(findingJson(finding), '    ')}`)
      comma = '    ,\n'
    },
    end: ({ days, compared }, differing, unsettled) => {
      print(
        `  ],\n  "unsettled": ${indented(unsettled, '  ')},\n  "days": ${indented(days.map(dayJson), '  ')},\n ` +
          ` "compared": ${compared},\n  "differing": ${differing},\n  "equal": ${differing === 0}\n}`,
      )
    },
  }
}

const clientOf = (call: Call): ShopClient => {
  const { woocommerceUrl } = readOptions(['woocommerceUrl'], call.flags, call.env)
  const key = shopKey(call.env)
  const client = connectShop(woocommerceUrl, key, call.clock)
  if (client === null) throw new UsageError(missingForShop(woocommerceUrl, key) ?? '')
  return client
}

export const reconcile: Command = {
  name: 'reconcile',
  about: "Compare stored orders with the shop's, one by one, without changing either. Exit code 1 if any differ.",
  flags: [
    {
      flag: '--from <DATE>',
      about: 'First day by which orders count, YYYY-MM-DD. Without --from and --to: the last 30 days.',
    },
    { flag: '--to <DATE>', about: 'Last day, YYYY-MM-DD.' },
    jsonFlag,
  ],
  run: call =>
    withDatabase(call, async db => {
      const plain = clientOf(call)
      const zone = chooseZone(db, null)
      const { from, to } = readDays(call, zone, toSeconds(call.clock()))
      const progress = createProgress(process.stderr, 'Comparing', call.clock)
      const client = withBackoff({
        client: plain,
        pause,
        onWait: (seconds, reason) => {
          progress.clear()
          call.warn(`${reason} It is retried in ${seconds} seconds.`)
        },
      })
      const printer = (call.flags.json === true ? forPrograms : forPeople)(call, { from, to, zone, client })
      let differing = 0
      const unsettled: number[] = []
      try {
        const compared = await compareOrders({
          db,
          client,
          zone,
          from,
          to,
          signal: new AbortController().signal,
          statuses: new Set(countedStatuses(db) ?? options.orderStatuses.default.split(',')),
          onFinding: finding => {
            differing += 1
            progress.clear()
            printer.onFinding(finding)
          },
          onUnsettled: id => {
            unsettled.push(id)
          },
          onProgress: (done, total) => progress.show(total === 0 ? 1 : Math.min(1, done / total), done),
        })
        progress.clear()
        printer.end(compared, differing, unsettled)
        return differing === 0 ? 0 : 1
      } catch (error) {
        progress.clear()
        throw error instanceof ShopError ? new CommandError(error.message) : error
      }
    }),
}
