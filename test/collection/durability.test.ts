// Every hit acknowledged with 204 is in the file exactly once, however the process ends. drill.test.ts kills it many
// times.
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import * as assert from 'uvu/assert'
import { hashOf, toBytes } from '../../src/collection/enrich/salts.ts'
import { connect } from '../../src/database/connect.ts'
import type { Db } from '../../src/database/query.ts'
import { footfallHere } from '../support/command.ts'
import { needs } from '../support/needs.ts'
import { built, type Running, start, temporaryFolder } from '../support/program.ts'
import { firefox } from '../support/service.ts'
import { patience } from '../support/wait.ts'

const test = needs('the executable')

const folder = temporaryFolder()
const started: Running[] = []
const program = built
const day = 86_400_000

test.after(() => {
  for (const { process: child } of started) child.kill('SIGKILL')
  folder.remove()
})

const serve = async (data: string): Promise<Running> => {
  const running = await start(['--data', data, '--log-level', 'warn'], { ...(program !== undefined && { program }) })
  started.push(running)
  return running
}

type Hit = { pvid: string; visitor: number }

const visitors = 150

/** A /24 is one visitor; within it each hit has an address of its own, so that none is throttled. */
const addressOf = ({ visitor }: Hit, count: number): string => `11.7.${visitor}.${(count % 254) + 1}`

/** The status, or 0 if the connection ended without one. */
const send = (url: string, agent: Agent, hit: Hit, count: number): Promise<number> =>
  new Promise(resolve => {
    const body = JSON.stringify({
      page_url: `https://shop.example/page/${count % 40}`,
      title: `Page ${count % 40}`,
      pvid: hit.pvid,
    })
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': firefox,
      'x-forwarded-for': addressOf(hit, count),
    }
    const sent = request(`${url}/analytics/v1/hit`, { method: 'POST', agent, headers }, response => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode ?? 0))
        .on('error', () => resolve(0))
    })
    sent.on('error', () => resolve(0))
    sent.end(body)
  })

type Load = { acknowledged: Hit[]; others: number[] }

/** Sends hits over kept-alive connections until the service is gone; `onAccepted` is called for each 204. */
const load = async (
  url: string,
  connections: number,
  over: () => boolean,
  onAccepted: (count: number) => void,
): Promise<Load> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const result: Load = { acknowledged: [], others: [] }
  let count = 0
  const work = async (): Promise<void> => {
    while (!over()) {
      const hit = { pvid: randomBytes(16).toString('base64url').slice(0, 21), visitor: count % visitors }
      const status = await send(url, agent, hit, count++)
      if (status === 204) onAccepted(result.acknowledged.push(hit))
      else if (status === 0) return
      else result.others.push(status)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
  return result
}

/** Inspects a copy, so that the service itself repairs the file at its next start. */
const inspect = <T>(data: string, look: (db: Db) => T): T => {
  const copy = folder.path(`copy-${randomBytes(4).toString('hex')}`)
  mkdirSync(copy)
  for (const end of ['', '-wal'])
    if (existsSync(`${data}${end}`)) copyFileSync(`${data}${end}`, `${copy}/file.db${end}`)
  const db = connect(`${copy}/file.db`)
  try {
    return look(db)
  } finally {
    db.close()
  }
}

/** An id as the file has it. */
const keyOf = (pvid: string): string => toBytes(hashOf(pvid)).toString('hex').toUpperCase()

const inFile = (data: string) =>
  inspect(data, db => ({
    integrity: db.pragma('integrity_check', { simple: true }),
    pvids: new Set(db.prepare("select hex(key) from recent_id where kind = 'view'").pluck().all() as string[]),
    views: Number(db.prepare('select count(*) from view').pluck().get()),
  }))

const passwordFor = async (data: string): Promise<string> => {
  const { stdout, stderr } = await footfallHere(['app-password', 'create', 'admin', '--name', 'test', '--data', data])
  return stdout.trimEnd().split('\n').at(-1) ?? stderr
}

const report = async (url: string, password: string, path: string): Promise<any> => {
  const answer = await fetch(`${url}/analytics/v1${path}`, {
    headers: { authorization: `Basic ${btoa(`admin:${password}`)}` },
  })
  assert.is(answer.status, 200, await answer.clone().text())
  return ((await answer.json()) as { data: unknown }).data
}

const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Yesterday to tomorrow: a midnight during the test does no harm. */
const range = `from=${dayText(Date.now() - day)}&to=${dayText(Date.now() + day)}`

/** The totals, once they include these views, or when patience ends. */
const totals = async (url: string, password: string, views: number): Promise<any> => {
  for (const end = Date.now() + patience * 1000; ; ) {
    const { totals: found } = await report(url, password, `/summary?${range}`)
    if (found.views >= views || Date.now() > end) return found
    await new Promise(later => setTimeout(later, 100))
  }
}

test('the same view sent simultaneously over many connections, before and after kill -9, counts once', async () => {
  const data = folder.path('same.db')
  const running = await serve(data)
  const password = await passwordFor(data)
  const hit = { pvid: 'one-and-the-same-view', visitor: 1 }
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const everywhere = (url: string): Promise<number[]> =>
    Promise.all(Array.from({ length: 40 }, (_, count) => send(url, agent, { ...hit, visitor: count % 5 }, count)))
  assert.equal(new Set(await everywhere(running.url)), new Set([204]))
  running.process.kill('SIGKILL')
  await running.ended
  const again = await serve(data)
  assert.equal(new Set(await everywhere(again.url)), new Set([204]))
  agent.destroy()
  assert.is((await totals(again.url, password, 1)).views, 1)
  again.process.kill('SIGKILL')
  await again.ended
})

for (const round of [1, 2]) {
  test(`SIGTERM under load loses nothing and leaves nothing behind (${round})`, async () => {
    const data = folder.path(`stopped-${round}.db`)
    const { url, process: child, ended } = await serve(data)
    let over = false
    const last = 50 + Math.floor(Math.random() * 300)
    const loading = load(
      url,
      12,
      () => over,
      count => {
        if (count === last) child.kill('SIGTERM')
      },
    )
    assert.is(await ended, 0)
    over = true
    const { acknowledged, others } = await loading
    assert.equal(others, [])
    assert.ok(acknowledged.length >= 50)
    for (const end of ['-wal', '-shm', '-lock', '-journal'])
      assert.not(existsSync(`${data}${end}`), `${end} is left behind`)
    const { integrity, pvids, views } = inFile(data)
    assert.is(integrity, 'ok')
    assert.equal(
      acknowledged.filter(({ pvid }) => !pvids.has(keyOf(pvid))),
      [],
    )
    assert.is(views, pvids.size)
    const rolledUp = inspect(data, db => db.prepare('select sum(views) from site_day').pluck().get())
    assert.is(rolledUp, views, 'the rollups are written at the stop')
  })
}

test.run()
