// Imports histories of other programs and reads their reports, as on the command line.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { runCommand } from './command.ts'

export const samples = 'test/fixtures/moving'
/** After the days of the samples. */
export const later = '2026-03-20T12:00:00Z'

const row = v.record(v.string(), v.unknown())
const body = v.looseObject({ data: v.union([v.array(row), row]), meta: v.record(v.string(), v.unknown()) })
export type Body = v.InferOutput<typeof body>

/** A folder with a database of its own. */
export const movingInto = (folder: string) => {
  const data = join(folder, 'test.db')
  const run = (args: readonly string[], at = later) =>
    runCommand(args.includes('--data') ? args : [...args, '--data', data], at)
  return {
    data,
    run,
    take: (paths: string | readonly string[], ...flags: string[]) => run(['import', ...[paths].flat(), ...flags]),
    report: async (name: string, from = '2026-03-01', to = '2026-03-03'): Promise<Body> => {
      const { stdout, stderr } = await run(['report', name, '--from', from, '--to', to, '--json'])
      if (stdout === '') throw new Error(stderr)
      return v.parse(body, JSON.parse(stdout))
    },
    write: (name: string, text: string | Buffer): string => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
    read: async (path: string): Promise<string> => readFileSync(path, 'utf8'),
    export: async (): Promise<string> => {
      const path = join(folder, 'export.ndjson')
      const { status, stderr } = await run(['export', path, '--format', 'archive'])
      if (status !== 0) throw new Error(stderr)
      return readFileSync(path, 'utf8')
    },
  }
}

export type Moving = ReturnType<typeof movingInto>

export const rowsOf = ({ data }: Body): Record<string, unknown>[] => (Array.isArray(data) ? data : [])

export const sumOf = (rows: readonly Record<string, unknown>[], name: string): number =>
  rows.reduce((sum, one) => sum + Number(one[name]), 0)

const series = v.looseObject({
  series: v.array(v.looseObject({ date: v.string(), visitors: v.number(), sessions: v.number(), views: v.number() })),
})

/** Visitors, visits, views, bounces and seconds of each day. */
export const daysOf = async ({ report }: Moving, from?: string, to?: string): Promise<number[][]> =>
  v
    .parse(series, (await report('summary', from, to)).data)
    .series.map(day => [day.visitors, day.sessions, day.views, Number(day.bounces), Number(day.total_duration)])
