import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Cron } from 'croner'
import * as v from 'valibot'
import type { Channel } from '../../channel/channel.ts'
import { openReadOnly } from '../../database/open.ts'
import { get, none, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { secondOf } from '../../database/view-id.ts'
import { timeText, toSeconds } from '../../lib/time.ts'
import sqlText from '../../sql/self-test-parts.sql'
import { say } from '../sentences.ts'
import { type Check, expect } from './check.ts'

const sql = statements(sqlText)

const newestQuery = query(sql('self-test.newest-view'), none, v.object({ id: v.nullable(v.number()) }))

const integrity: Check = {
  id: 'integrity',
  run: async ({ integrity: check }) => {
    const result = await check()
    expect(result === 'ok' || result === 'checking', say('integrity_wrong', { reason: result }))
    return result === 'ok' ? say('integrity_tested') : say('integrity_running')
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
    expect(isEqual, say('disk_wrong'))
    return say('disk_tested')
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
    expect(now > minTime && now < maxTime, say('clock_wrong', { now: timeText(now) }))
    const last = newest(path)
    expect(last <= now + tolerance, say('clock', { newest: timeText(last), now: timeText(now) }))
    return say('clock_tested', { time: timeText(now) })
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
    if (!geoEnabled) return say('geoip_off')
    expect(geo !== null, say('geoip_missing'))
    const countries = new Set(
      knownAddresses.map(address => geo.lookup(address).country).filter(country => country !== null),
    )
    expect(countries.size > 0, say('geoip_empty'))
    expect(geo.failures() === 0, say('geoip_wrong'))
    return say('geoip_tested', { countries: [...countries].sort().join(', ') })
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
      expect(result === channel, say('channels_wrong', { channel, result }))
    }
    return say('channels_tested', { count: arrivals.length })
  },
}

const cron: Check = {
  id: 'cron',
  run: ({ jobs, zone }) => {
    for (const { name, schedule } of jobs) {
      const next = new Cron(schedule, { timezone: zone.name, paused: true }).nextRun()
      expect(next !== null, say('cron_wrong', { name, schedule }))
    }
    return say('cron_tested', { count: jobs.length })
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
        say('advisor_repeats', { distinct: new Set(texts).size, language, count: questionCount }),
      )
      const unfilled = texts.find(text => /[{}]/.test(text))
      expect(unfilled === undefined, say('advisor_unfilled', { language, text: unfilled ?? '' }))
    }
    return say('advisor_tested', { count: questionCount, languages: languages.length })
  },
}

export const partChecks: readonly Check[] = [integrity, disk, clock, cron, places, channels, advisor]
