import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { readOptions } from '../config/config.ts'
import { openToRead } from '../database/open.ts'
import { all, get, none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { secondOf } from '../database/view-id.ts'
import { dropControls } from '../lib/controls.ts'
import { timeText } from '../lib/time.ts'
import sqlText from '../sql/tail.sql'
import type { Command } from './command.ts'
import { warnOfDemo } from './database.ts'
import { jsonFlag } from './listing.ts'

const sql = statements(sqlText)

const text = v.nullable(v.string())
const viewsQuery = query(
  sql('views'),
  v.object({ after: v.number(), limit: v.number() }),
  v.object({
    view_id: v.number(),
    page: v.string(),
    title: text,
    country: text,
    device: v.string(),
    browser: text,
    os: text,
    channel: v.string(),
    source: v.string(),
  }),
)
const newestQuery = query(sql('newest'), none, v.object({ view_id: v.number() }))

const pollInterval = 500
const maxViews = 1000

type View = v.InferOutput<typeof viewsQuery.row>

/** One view as a line of text or of JSON. */
const line = ({ view_id, ...view }: View, json: boolean): string => {
  const time = timeText(secondOf(view_id))
  if (json) return JSON.stringify({ time, ...view })
  const from = view.channel === 'Direct' ? 'Direct' : `${view.channel} (${view.source})`
  const who = [view.country, view.device, view.browser, view.os].filter(part => part !== null).join(' · ')
  return dropControls(`${time}  ${view.page}  ${who}  ${from}`)
}

export const tail: Command = {
  name: 'tail',
  example: 'tail',
  about: 'Show page views live, until Ctrl+C.',
  flags: [jsonFlag],
  run: async call => {
    const { flags, env, print, warn } = call
    const { data } = readOptions(['data'], flags, env)
    const db = openToRead(data)
    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())
    try {
      let after = get(db, newestQuery, {})?.view_id ?? 0
      warnOfDemo(call, db)
      warn('Waiting for page views. Press Ctrl+C to stop.')
      while (!stop.signal.aborted) {
        for (const view of all(db, viewsQuery, { after, limit: maxViews })) {
          print(line(view, flags.json === true))
          after = view.view_id
        }
        await wait(pollInterval, undefined, { signal: stop.signal }).catch(() => {})
      }
      return 0
    } finally {
      db.close()
    }
  },
}
