import { options, readOptions, UsageError } from '../config/config.ts'
import { shopKey } from '../config/environment.ts'
import { createProgress } from '../import/progress.ts'
import { sleep } from '../lib/sleep.ts'
import { type Day, dayText, toSeconds, type Zone } from '../lib/time.ts'
import { chooseZone } from '../rollup/zone.ts'
import { withBackoff } from '../shop/backoff.ts'
import { countedStatuses } from '../shop/basis.ts'
import type { ShopClient } from '../shop/client.ts'
import { type ComparisonResult, compareOrders, type Finding } from '../shop/compare.ts'
import { dateOrNull, dayAnswer, differenceAnswer } from '../shop/comparison-answer.ts'
import { connectShop, missingForShop } from '../shop/connect.ts'
import type { Cause } from '../shop/difference.ts'
import { digitsOf, majorText } from '../shop/money.ts'
import type { TalliedDay } from '../shop/tally.ts'
import { asService } from './as-service.ts'
import type { Call, Command } from './command.ts'
import { withDatabase } from './database.ts'
import { count, jsonFlag, printRows } from './listing.ts'
import { readDays } from './range.ts'

const causeTexts: Readonly<Record<Cause, string>> = {
  missing_here: 'missing here',
  deleted_here: 'deleted here, but not in the shop',
  missing_in_shop: 'no longer in the shop',
  trashed: "in the shop's trash",
  older_here: 'older version here',
  newer_here: 'older version in the shop',
  refund_lines_unknown: 'refunded items unknown here',
  differs: 'same version, different content',
  unreadable: 'unreadable',
}

const sidesText = (shop: string | null, here: string | null): string =>
  `shop ${shop === '' ? '-' : (shop ?? '-')}, here ${here === '' ? '-' : (here ?? '-')}`

const findingText = ({ id, day, cause, reason, fields }: Finding): string =>
  [
    `${String(id).padStart(8)}  ${dateOrNull(day) ?? '-'.padEnd(10)}  ${causeTexts[cause]}`,
    ...(reason === null ? [] : [reason]),
    ...fields.map(({ field, shop, here }) => `${field} (${sidesText(shop, here)})`),
  ]
    .join('; ')
    .replace('; ', ': ')

/** Both values if they differ, else one. */
const cell = (shop: string, here: string): string => (shop === here ? shop : `${shop} ≠ ${here}`)

const dayRow = ({ day, currency, shop, here }: TalliedDay) => {
  const money = (name: 'total' | 'tax' | 'shipping' | 'refunded'): string =>
    cell(majorText(shop[name], digitsOf(currency)), majorText(here[name], digitsOf(currency)))
  const number = (name: 'orders' | 'refunds'): string => cell(String(shop[name]), String(here[name]))
  return {
    date: dayText(day),
    currency,
    orders: number('orders'),
    gross_revenue: money('total'),
    tax_total: money('tax'),
    shipping_total: money('shipping'),
    refunds: number('refunds'),
    refund_total: money('refunded'),
  }
}

/** Prints differences during the comparison, and the result at the end. */
type Printer = {
  onFinding: (finding: Finding) => void
  end: (compared: ComparisonResult, differing: number, unsettled: readonly number[]) => void
}

type Comparison = { from: Day; to: Day; zone: Zone; client: ShopClient }

const textPrinter = (call: Call, { from, to, zone }: Comparison): Printer => ({
  onFinding: finding => call.print(findingText(finding)),
  end: ({ days, compared }, differing, unsettled) => {
    if (differing > 0) call.print('')
    if (days.length > 0) printRows({ ...call, flags: {} }, days.map(dayRow), '')
    if (days.length > 0 && differing > 0) call.print('Where the values differ, the shop comes first.')
    const result =
      differing === 0
        ? 'shop and database match.'
        : `${differing.toLocaleString('en')} ${differing === 1 ? 'differs' : 'differ'}.`
    call.print(
      `${days.length > 0 ? '\n' : ''}${count(compared, 'order')} from ${dayText(from)} to ${dayText(to)} ` +
        `(${zone.name}): ${result}`,
    )
    if (unsettled.length > 0)
      call.print(
        `${count(unsettled.length, 'order')} changed in the shop during the comparison and ` +
          `${unsettled.length === 1 ? 'is' : 'are'} not included: ` +
          `${unsettled.slice(0, 20).join(', ')}${unsettled.length > 20 ? ' …' : ''}.`,
      )
    if (differing > 0)
      call.warn(
        "'footfall shop fetch' fetches recent changes; a backfill of these days " +
          '(POST /analytics/v1/revenue/backfill) fetches all orders.',
      )
  },
})

/** Writes one object piece by piece, because the list of differences may be long. */
const jsonPrinter = ({ print }: Call, { from, to, zone, client }: Comparison): Printer => {
  let comma = ''
  const indented = (value: unknown, by: string): string => JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`)
  print(
    `{\n  "from": "${dayText(from)}",\n  "to": "${dayText(to)}",\n  "timezone": ` +
      `${JSON.stringify(zone.name)},\n  "shop": ${JSON.stringify(client.address)},\n  "differences": [`,
  )
  return {
    onFinding: finding => {
      print(`${comma}    ${indented(differenceAnswer(finding), '    ')}`)
      comma = '    ,\n'
    },
    end: ({ days, compared }, differing, unsettled) => {
      print(
        `  ],\n  "unsettled": ${indented(unsettled, '  ')},\n  "days": ${indented(days.map(dayAnswer), '  ')},\n ` +
          ` "compared": ${compared},\n  "differing": ${differing},\n  "equal": ${differing === 0}\n}`,
      )
    },
  }
}

const clientOf = (call: Call): ShopClient => {
  const { woocommerceUrl } = readOptions(['woocommerceUrl'], call.flags, call.env)
  const key = shopKey(call.env)
  const client = connectShop(woocommerceUrl, key, call.clock)
  if (client === null) throw new UsageError(`${missingForShop(woocommerceUrl, key) ?? ''}${asService(call)}`)
  return client
}

export const reconcile: Command = {
  name: 'reconcile',
  example: 'shop reconcile --from 2026-03-01 --to 2026-03-31',
  about: "Compare stored orders with the shop's, one by one, without changing them. Exit code 1 if any differ.",
  flags: [
    {
      flag: '--from <DATE>',
      about: 'First day of the orders, YYYY-MM-DD. Default: the last 30 days.',
    },
    { flag: '--to <DATE>', about: 'Last day, YYYY-MM-DD.' },
    jsonFlag,
  ],
  run: call =>
    withDatabase(call, async db => {
      const directClient = clientOf(call)
      const zone = chooseZone(db, null)
      const { from, to } = readDays(call, zone, toSeconds(call.clock()))
      const progress = createProgress(process.stderr, 'Comparing', call.clock)
      const client = withBackoff({
        client: directClient,
        sleep,
        onWait: (seconds, reason) => {
          progress.clear()
          call.warn(`${reason} Retrying in ${seconds} seconds.`)
        },
      })
      const printer = (call.flags.json === true ? jsonPrinter : textPrinter)(call, { from, to, zone, client })
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
        throw error
      }
    }),
}
