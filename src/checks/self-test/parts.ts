import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Cron } from 'croner'
import type { Channel } from '../../channel/channel.ts'
import { openReadOnly } from '../../database/open.ts'
import { get, query } from '../../database/query.ts'
import newestView from '../../sql/self-test.newest-view.sql'
import { timeText, toSeconds } from '../../lib/time.ts'
import * as v from 'valibot'
import { secondOf } from '../../database/view-id.ts'
import { expect, type Check } from './check.ts'

const newestQuery = query(newestView, v.object({}), v.object({ id: v.nullable(v.number()) }))

const integrity: Check = {
  id: 'integrity',
  run: async ({ integrity: check }) => {
    const found = await check()
    expect(found === 'ok' || found === 'checking', `The database is damaged: ${found}. Restore a backup.`)
    return found === 'ok'
      ? 'The database is sound.'
      : 'The database is large: it is still being checked; diagnostics will tell.'
  },
}

const blockSize = 1024 * 1024

const disk: Check = {
  id: 'disk',
  run: ({ folder }) => {
    const path = join(folder, 'block')
    const bytes = randomBytes(blockSize)
    const file = openSync(path, 'wx', 0o600)
    try {
      writeSync(file, bytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    const same = readFileSync(path).equals(bytes)
    rmSync(path)
    expect(same, 'What was written to the disk came back as something else.')
    return 'The disk takes a MiB, syncs it, and gives it back.'
  },
}

/** Nobody's clock is right before this was written. */
const earliest = Date.parse('2026-01-01T00:00:00Z') / 1000
const latest = Date.parse('2100-01-01T00:00:00Z') / 1000
const slack = 3600

const newest = (path: string): number => {
  const db = openReadOnly(path)
  try {
    return secondOf(get(db, newestQuery, {})?.id ?? 0)
  } finally {
    db.close()
  }
}

const clock: Check = {
  id: 'clock',
  run: ({ clock: read, path }) => {
    const now = toSeconds(read())
    expect(now > earliest && now < latest, `It is not ${timeText(now)}: set the clock of this machine.`)
    const last = newest(path)
    expect(
      last <= now + slack,
      `The newest visit is of ${timeText(last)}, later than now (${timeText(now)}): the clock was or is wrong.`,
    )
    return `The clock says ${timeText(now)}.`
  },
}

/** Networks of several countries, of which every usable database knows most. */
const knownAddresses = [
  '8.8.8.8',
  '193.0.6.139',
  '133.11.0.1',
  '200.160.2.3',
  '2001:4860:4860::8888',
  '81.2.69.160',
  '2.125.160.216',
]

const places: Check = {
  id: 'geoip',
  run: ({ geo, geoEnabled }) => {
    if (!geoEnabled) return 'Places are turned off (geoip_enabled).'
    expect(geo !== null, 'There is no usable GeoIP database: see diagnostics.')
    const found = new Set(
      knownAddresses.map(address => geo.lookup(address).country).filter(country => country !== null),
    )
    expect(found.size > 0, 'The GeoIP database knows none of the addresses that it should.')
    expect(geo.failures() === 0, 'The GeoIP database is damaged: a look-up failed.')
    return `The GeoIP database places known addresses in ${[...found].sort().join(', ')}.`
  },
}

const none = { source: null, medium: null, campaign: null, term: null, content: null }
const arrivals: readonly (readonly [
  channel: Channel,
  referrer: string | null,
  utm: Partial<typeof none> | Record<string, string>,
])[] = [
  ['Direct', null, {}],
  ['AI Assistants', 'https://chatgpt.com/', {}],
  ['Organic Search', 'https://www.google.com/', {}],
  ['Social Media', 'https://www.facebook.com/', {}],
  ['Email', 'https://mail.google.com/', {}],
  ['Referral', 'https://self-test.example/', {}],
  ['Paid Search', 'https://www.google.com/', { source: 'google', medium: 'cpc' }],
  ['Paid Social', 'https://www.facebook.com/', { source: 'facebook', medium: 'cpc' }],
]

const channels: Check = {
  id: 'channels',
  run: ({ classify }) => {
    for (const [channel, referrer, utm] of arrivals) {
      const { channel: found } = classify({ referrer, utm: { ...none, ...utm }, clickId: null, siteHosts: [] })
      expect(found === channel, `A visit that belongs to ${channel} was taken for ${found}.`)
    }
    return `All ${arrivals.length} channels are told apart.`
  },
}

const cron: Check = {
  id: 'cron',
  run: ({ jobs, zone }) => {
    for (const { name, schedule } of jobs) {
      const next = new Cron(schedule, { timezone: zone.name, paused: true }).nextRun()
      expect(next !== null, `The job ${name} would never run: ${schedule}.`)
    }
    return `${jobs.length} jobs have a next time.`
  },
}

const inventory = 116

const advisor: Check = {
  id: 'advisor',
  run: ({ questionTexts }) => {
    const languages = questionTexts()
    for (const { language, texts } of languages) {
      expect(
        new Set(texts).size === inventory,
        `The advisor has ${new Set(texts).size} distinct questions in ${language} instead of ${inventory}.`,
      )
      const unfilled = texts.find(text => /[{}]/.test(text))
      expect(unfilled === undefined, `A question of the advisor in ${language} is not filled in: ${unfilled}`)
    }
    return `The advisor has ${inventory} questions in ${languages.length} languages.`
  },
}

export const partChecks: readonly Check[] = [integrity, disk, clock, cron, places, channels, advisor]
