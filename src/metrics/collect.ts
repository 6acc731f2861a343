import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { version } from '../../package.json'
import type { Collector } from '../collection/collector.ts'
import type { Db } from '../database/query.ts'
import { jobStates } from '../jobs/state.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import { histogramSamples, metricsText, type Metric } from './text.ts'

/** Answers of the port since the start, and their durations. */
export type Traffic = {
  /** The public collection routes, from the head of a request to its answer. */
  collection: Histogram
  /** Everything that the router answers: reports, administration, login. */
  api: Histogram
  apiAnswered: (status: number) => void
  /** Answers by their class, such as '2xx'. */
  apiAnswers: () => ReadonlyMap<string, number>
}

export const createTraffic = (): Traffic => {
  const answers = new Map<string, number>()
  return {
    collection: createHistogram(),
    api: createHistogram(),
    apiAnswered: status => {
      const kind = `${Math.floor(status / 100)}xx`
      answers.set(kind, (answers.get(kind) ?? 0) + 1)
    },
    apiAnswers: () => answers,
  }
}

export type MetricsOptions = {
  db: Db
  path: string
  collector: Collector
  traffic: Traffic
  now: () => number
  startedAt: number
}

/** Visitors seen within this count as active, as in the realtime report. */
const activeSeconds = 5 * 60

const one = (value: number | null): Metric['samples'] => (value === null ? [] : [{ value }])
const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0)

const outcomesOf = (collector: Collector): Metric['samples'] =>
  [...collector.ledger.totals()]
    .filter(([outcome]) => outcome !== 'received' && outcome !== 'trimmed')
    .sort()
    .map(([outcome, value]) => ({ labels: { outcome }, value }))

const jobMetrics = (db: Db): Metric[] => {
  const states = [...jobStates(db).values()]
  const each = (value: (state: (typeof states)[number]) => number): Metric['samples'] =>
    states.map(state => ({ labels: { job: state.name }, value: value(state) }))
  return [
    {
      name: 'footfall_job_last_run_timestamp_seconds',
      type: 'gauge',
      help: 'When a job began last.',
      samples: each(state => state.last_run),
    },
    {
      name: 'footfall_job_last_duration_seconds',
      type: 'gauge',
      help: 'How long a job took last.',
      samples: each(state => state.last_duration_ms / 1000),
    },
    {
      name: 'footfall_job_failed',
      type: 'gauge',
      help: '1 for a job that failed last.',
      samples: each(state => (state.last_error === null ? 0 : 1)),
    },
  ]
}

/** What an operator monitors; nothing in it identifies a visitor. */
export const createMetrics =
  ({ db, path, collector, traffic, now, startedAt }: MetricsOptions): (() => string) =>
  () => {
    const { bsize, bavail } = statfsSync(dirname(path))
    const seen = collector.activeSince(now() - activeSeconds)
    return metricsText([
      {
        name: 'footfall_info',
        type: 'gauge',
        help: 'The version that runs.',
        samples: [{ labels: { version }, value: 1 }],
      },
      {
        name: 'footfall_collection_requests_total',
        type: 'counter',
        help: 'Collection requests by what became of them.',
        samples: outcomesOf(collector),
      },
      {
        name: 'footfall_collection_trimmed_values_total',
        type: 'counter',
        help: 'Values of visits that were cut because they were too long.',
        samples: one(collector.ledger.totals().get('trimmed') ?? 0),
      },
      {
        name: 'footfall_collection_request_seconds',
        type: 'histogram',
        help: 'How long collection requests took, their commit included.',
        samples: histogramSamples(traffic.collection),
      },
      {
        name: 'footfall_commit_seconds',
        type: 'histogram',
        help: 'How long commits took, each of all records that waited for it.',
        samples: histogramSamples(collector.queue.commits),
      },
      {
        name: 'footfall_commit_failures_total',
        type: 'counter',
        help: 'Commits that failed.',
        samples: one(collector.queue.failures()),
      },
      {
        name: 'footfall_collection_queue_depth',
        type: 'gauge',
        help: 'Records that wait for their commit.',
        samples: one(collector.queue.depth()),
      },
      {
        name: 'footfall_active_visits',
        type: 'gauge',
        help: 'Visits with a view or engagement in the last five minutes.',
        samples: one(seen.length),
      },
      {
        name: 'footfall_api_requests_total',
        type: 'counter',
        help: 'Requests for reports and administration by the class of their answer.',
        samples: [...traffic.apiAnswers()].sort().map(([status, value]) => ({ labels: { status }, value })),
      },
      {
        name: 'footfall_api_request_seconds',
        type: 'histogram',
        help: 'How long requests for reports and administration took.',
        samples: histogramSamples(traffic.api),
      },
      { name: 'footfall_database_bytes', type: 'gauge', help: 'Size of the database.', samples: one(sizeOf(path)) },
      {
        name: 'footfall_wal_bytes',
        type: 'gauge',
        help: 'Size of the write-ahead log.',
        samples: one(sizeOf(`${path}-wal`)),
      },
      {
        name: 'footfall_disk_free_bytes',
        type: 'gauge',
        help: 'Room on the disk of the database.',
        samples: one(bavail * bsize),
      },
      ...jobMetrics(db),
      {
        name: 'process_resident_memory_bytes',
        type: 'gauge',
        help: 'Memory of the process.',
        samples: one(process.memoryUsage.rss()),
      },
      {
        name: 'process_cpu_seconds_total',
        type: 'counter',
        help: 'Processor time of the process.',
        samples: one((process.cpuUsage().user + process.cpuUsage().system) / 1e6),
      },
      { name: 'process_start_time_seconds', type: 'gauge', help: 'When the process started.', samples: one(startedAt) },
    ])
  }
