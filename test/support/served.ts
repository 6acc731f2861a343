// The built program on its own database, for tests that manipulate the file: countable hits, reports, the ledger.
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { footfallHere } from './command.ts'
import { type Program, type Running, sources, start } from './program.ts'
import { firefox } from './service.ts'
import { patience } from './wait.ts'

export const pause = (milliseconds: number): Promise<void> => new Promise(later => setTimeout(later, milliseconds))

export type Sent = { status: number; code: string | null; retryAfter: string | null }

export type Served = {
  running: Running
  /** Sends the hit of a new visitor. */
  hit: (id: number) => Promise<Sent>
  report: (path: string) => Promise<{ status: number; data: any }>
  views: () => Promise<number>
  /** The views that the reports show once there are so many of them, or when patience ends. */
  settled: (views: number) => Promise<number>
  /** The ids of critical findings. */
  critical: () => Promise<string[]>
  health: () => Promise<number>
  stop: () => Promise<number | string>
}

const day = 86_400_000
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10)
export const range = `from=${dayText(Date.now() - day)}&to=${dayText(Date.now() + day)}`
const pvid = (id: number): string => `storage-test-view-${String(id).padStart(6, '0')}`

const serve = async (data: string, program: Program, started: Running[]): Promise<Served> => {
  const running = await start(['--data', data], { program })
  started.push(running)
  const made = await footfallHere([
    'app-password',
    'create',
    'admin',
    '--name',
    `test ${Math.random()}`,
    '--data',
    data,
  ])
  const authorization = `Basic ${btoa(`admin:${made.stdout.trimEnd().split('\n').at(-1)}`)}`
  const ask = async (path: string): Promise<{ status: number; body: any }> => {
    const answer = await fetch(`${running.url}/analytics/v1${path}`, { headers: { authorization } })
    return { status: answer.status, body: await answer.json() }
  }
  const report: Served['report'] = async path => {
    const { status, body } = await ask(path)
    return { status, data: body.data }
  }
  const views = async (): Promise<number> => (await report(`/summary?${range}`)).data.totals.views
  return {
    running,
    report,
    views,
    critical: async () => {
      const { status, body } = await ask('/diagnostics')
      assert.is(status, 200, JSON.stringify(body))
      return body.findings
        .filter(({ severity }: { severity: string }) => severity === 'critical')
        .map(({ id }: { id: string }) => id)
    },
    health: async () => (await fetch(`${running.url}/healthz`)).status,
    hit: async id => {
      const answer = await fetch(`${running.url}/analytics/v1/hit`, {
        method: 'POST',
        body: JSON.stringify({
          page_url: `/page/${id % 30}`,
          title: `${id} ${'long title '.repeat(20)}`,
          pvid: pvid(id),
        }),
        headers: {
          'content-type': 'application/json',
          'user-agent': firefox,
          'x-forwarded-for': `12.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}`,
        },
      })
      const text = await answer.text()
      return {
        status: answer.status,
        code: text === '' ? null : JSON.parse(text).code,
        retryAfter: answer.headers.get('retry-after'),
      }
    },
    settled: async expected => {
      for (const end = Date.now() + patience * 1000; ; await pause(50)) {
        const shown = await views()
        if (shown >= expected || Date.now() > end) return shown
      }
    },
    stop: () => {
      running.process.kill('SIGTERM')
      return running.ended
    },
  }
}

/** Starts services that a test file stops together. */
export const serveOn = (): { serve: (data: string, program?: Program) => Promise<Served>; endAll: () => void } => {
  const started: Running[] = []
  return {
    serve: (data, program = sources) => serve(data, program, started),
    endAll: () => started.forEach(({ process: child }) => child.kill('SIGKILL')),
  }
}

export const ledgerOf = (data: string): Record<string, number> => {
  const db = connect(data, { readonly: true })
  const rows = db.prepare('select outcome, sum(requests) as requests from ledger group by outcome').all() as {
    outcome: string
    requests: number
  }[]
  db.close()
  return Object.fromEntries(rows.map(({ outcome, requests }) => [outcome, requests]))
}

/** received = accepted + repeated + refused; `trimmed` counts values, not requests. */
export const holdLedger = (ledger: Record<string, number>): void => {
  const { received = 0, trimmed, ...outcomes } = ledger
  assert.is(
    Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    received,
    JSON.stringify(ledger),
  )
}

export const numbers = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index)

export const sendAll = async (hit: Served['hit'], ids: readonly number[]): Promise<Map<number, Sent>> => {
  const answers = new Map<number, Sent>()
  for (const id of ids) answers.set(id, await hit(id))
  return answers
}

export const withStatus = (answers: ReadonlyMap<number, Sent>, status: number): number[] =>
  [...answers].filter(([, answer]) => answer.status === status).map(([id]) => id)
