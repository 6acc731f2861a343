import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { version } from '../../package.json'
import type { Collector } from '../collection/collector.ts'
import type { Db } from '../database/query.ts'
import { jobs } from '../jobs/list.ts'
import { type JobState, jobStates, jobsSince } from '../jobs/state.ts'
import { createHistogram, type Histogram } from '../lib/histogram.ts'
import { histogramSamples, type Metric, metric, metricsText } from './text.ts'

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
  /** How many visitors the site has; null unless they are to be shown. */
  site: (() => Promise<Metric[]>) | null
}

/** Visitors seen within this count as active, as in the realtime report. */
const activeSeconds = 5 * 60

const one = (value: number): Metric['samples'] => [{ value }]

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0)

const outcomesOf = (collector: Collector): Metric['samples'] =>
  [...collector.ledger.totals()]
    .filter(([outcome]) => outcome !== 'received' && outcome !== 'trimmed')
    .sort()
    .map(([outcome, value]) => ({ labels: { outcome }, value }))

const jobMetrics = (db: Db): Metric[] => {
  const states = jobStates(db)
  const since = jobsSince(db)
  // Prometheus gives the label `job` to what it scrapes, and would rename ours.
  const each = (value: (state: JobState | undefined) => number | null): Metric['samples'] =>
    jobs.flatMap(({ name }) => {
      const found = value(states.get(name))
      return found === null ? [] : [{ labels: { name }, value: found }]
    })
  const lastRun = each(state => state?.last_run ?? since)
  const duration = each(state => (state === undefined ? null : state.last_duration_ms / 1000))
  const hasFailed = each(state => (state === undefined || state.last_error === null ? 0 : 1))
  return [
    metric(
      'footfall_job_last_run_timestamp_seconds',
      'gauge',
      'When a job began last; before its first run, since when it is due.',
      lastRun,
    ),
    metric('footfall_job_last_duration_seconds', 'gauge', 'How long a job took last.', duration),
    metric('footfall_job_failed', 'gauge', '1 for a job that failed last.', hasFailed),
  ]
}

const collectionMetrics = ({ collector, traffic, now }: MetricsOptions): Metric[] => {
  const { ledger, queue } = collector
  const active = collector.activeSince(now() - activeSeconds).length
  const trimmed = ledger.totals().get('trimmed') ?? 0
  return [
    metric('footfall_collection_requests_total', 'counter', 'Collection requests by outcome.', outcomesOf(collector)),
    metric(
      'footfall_collection_trimmed_values_total',
      'counter',
      'Values that were truncated because they were too long.',
      one(trimmed),
    ),
    metric(
      'footfall_collection_request_seconds',
      'histogram',
      'Duration of collection requests, including the commit.',
      histogramSamples(traffic.collection),
    ),
    metric(
      'footfall_commit_seconds',
      'histogram',
      'Duration of commits, each with all records pending at the time.',
      histogramSamples(queue.commits),
    ),
    metric('footfall_commit_failures_total', 'counter', 'Failed commits.', one(queue.failures())),
    metric('footfall_collection_queue_depth', 'gauge', 'Records waiting for a commit.', one(queue.depth())),
    metric(
      'footfall_active_visits',
      'gauge',
      'Visits with a page view or engagement in the last five minutes.',
      one(active),
    ),
  ]
}

const apiMetrics = ({ traffic }: MetricsOptions): Metric[] => [
  metric(
    'footfall_api_requests_total',
    'counter',
    'Requests for reports and administration by status class.',
    [...traffic.apiAnswers()].sort().map(([status, value]) => ({ labels: { status }, value })),
  ),
  metric(
    'footfall_api_request_seconds',
    'histogram',
    'Duration of requests for reports and administration.',
    histogramSamples(traffic.api),
  ),
]

const storageMetrics = ({ path }: MetricsOptions): Metric[] => {
  const { bsize, bavail } = statfsSync(dirname(path))
  return [
    metric('footfall_database_bytes', 'gauge', 'Size of the database.', one(sizeOf(path))),
    metric('footfall_wal_bytes', 'gauge', 'Size of the write-ahead log.', one(sizeOf(`${path}-wal`))),
    metric('footfall_disk_free_bytes', 'gauge', 'Free space on the disk of the database.', one(bavail * bsize)),
  ]
}

const processMetrics = ({ startedAt }: MetricsOptions): Metric[] => {
  const { user, system } = process.cpuUsage()
  return [
    metric('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', one(process.memoryUsage.rss())),
    metric('process_cpu_seconds_total', 'counter', 'CPU time of the process.', one((user + system) / 1e6)),
    metric('process_start_time_seconds', 'gauge', 'Start time of the process.', one(startedAt)),
  ]
}

/** Metrics for operators; nothing in them identifies a visitor. */
export const createMetrics =
  (options: MetricsOptions): (() => Promise<string>) =>
  async () =>
    metricsText([
      metric('footfall_info', 'gauge', 'The running version.', [{ labels: { version }, value: 1 }]),
      ...collectionMetrics(options),
      ...apiMetrics(options),
      ...storageMetrics(options),
      ...jobMetrics(options.db),
      ...processMetrics(options),
      ...((await options.site?.()) ?? []),
    ])
