import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Cron } from 'croner'
import type { Channel } from '../../channel/channel.ts'
import { openReadOnly } from '../../database/open.ts'
import { get, query, none } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import sqlText from '../../sql/self-test-parts.sql'
import { timeText, toSeconds } from '../../lib/time.ts'
import * as v from 'valibot'
import { secondOf } from '../../database/view-id.ts'
import { expect, type Check } from './check.ts'

const sql = statements(sqlText)

const newestQuery = query(sql('self-test.newest-view'), none, v.object({ id: v.nullable(v.number()) }))

const integrity: Check = {
  id: 'integrity',
  run: async ({ integrity: check }) => {
    const result = await check()
    expect(result === 'ok' || result === 'checking', `The database is damaged: ${result}. Restore a backup.`)
    return result === 'ok'
      ? 'The database is intact.'
      : 'The database is large and still being checked: see diagnostics for the result.'
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
    const isEqual = readFileSync(path).equals(bytes)
    rmSync(path)
    expect(isEqual, 'The disk returned different bytes than were written.')
    return 'One MiB was written to the disk, synced and read back.'
  },
}

/** A clock outside this range is wrong. */
const minTime = Date.parse('2026-01-01T00:00:00Z') / 1000
const maxTime = Date.parse('2100-01-01T00:00:00Z') / 1000
const tolerance = 3600

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
    expect(now > minTime && now < maxTime, `It is not ${timeText(now)}: set the clock of this machine.`)
    const last = newest(path)
    expect(
      last <= now + tolerance,
      `The newest visit is from ${timeText(last)}, later than now (${timeText(now)}): the clock is or was wrong.`,
    )
    return `The clock says ${timeText(now)}.`
  },
}

/** Addresses in several countries; every usable database contains most of them. */
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
    if (!geoEnabled) return 'GeoIP is turned off (geoip_enabled).'
    expect(geo !== null, 'There is no usable GeoIP database: see diagnostics.')
    const countries = new Set(
      knownAddresses.map(address => geo.lookup(address).country).filter(country => country !== null),
    )
    expect(countries.size > 0, 'The GeoIP database contains none of the well-known addresses.')
    expect(geo.failures() === 0, 'The GeoIP database is damaged: a lookup failed.')
    return `The GeoIP database locates well-known addresses in ${[...countries].sort().join(', ')}.`
  },
}

const untagged = { source: null, medium: null, campaign: null, term: null, content: null }
const arrivals: readonly (readonly [
  channel: Channel,
  referrer: string | null,
  utm: Partial<typeof untagged> | Record<string, string>,
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
      const { channel: result } = classify({ referrer, utm: { ...untagged, ...utm }, clickId: null, siteHosts: [] })
      expect(result === channel, `A visit that belongs to ${channel} was classified as ${result}.`)
    }
    return `All ${arrivals.length} channels are classified correctly.`
  },
}

const cron: Check = {
  id: 'cron',
  run: ({ jobs, zone }) => {
    for (const { name, schedule } of jobs) {
      const next = new Cron(schedule, { timezone: zone.name, paused: true }).nextRun()
      expect(next !== null, `The job ${name} never runs: ${schedule}.`)
    }
    return `${jobs.length} jobs have a next run.`
  },
}

const advisor: Check = {
  id: 'advisor',
  run: ({ questionTexts }) => {
    const languages = questionTexts()
    const questionCount = Math.max(...languages.map(({ texts }) => texts.length))
    for (const { language, texts } of languages) {
      expect(
        new Set(texts).size === questionCount,
        `The advisor has ${new Set(texts).size} distinct questions in ${language} instead of ${questionCount}.`,
      )
      const unfilled = texts.find(text => /[{}]/.test(text))
      expect(unfilled === undefined, `A question of the advisor in ${language} contains a placeholder: ${unfilled}`)
    }
    return `The advisor has ${questionCount} questions in ${languages.length} languages.`
  },
}

export const partChecks: readonly Check[] = [integrity, disk, clock, cron, places, channels, advisor]
