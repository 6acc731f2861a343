import type { Histogram } from '../lib/histogram.ts'

/** A metric with its samples. The names of a histogram's samples consist of its name and a suffix. */
export type Metric = {
  name: string
  type: 'gauge' | 'counter' | 'histogram'
  help: string
  samples: readonly { suffix?: string; labels?: Readonly<Record<string, string>>; value: number }[]
}

export const metric = (name: string, type: Metric['type'], help: string, samples: Metric['samples']): Metric => ({
  name,
  type,
  help,
  samples,
})

const escapeValue = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')

const labelsText = (labels: Readonly<Record<string, string>> = {}): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join()}}`
}

/** The samples of a Prometheus histogram. */
export const histogramSamples = (histogram: Histogram): Metric['samples'] => {
  const { buckets, sum, count } = histogram.read()
  return [
    ...buckets.map(bucket => ({
      suffix: '_bucket',
      labels: { le: Number.isFinite(bucket.bound) ? String(bucket.bound) : '+Inf' },
      value: bucket.count,
    })),
    { suffix: '_sum', value: sum },
    { suffix: '_count', value: count },
  ]
}

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** The Prometheus text format, version 0.0.4. Omits metrics without samples. */
export const metricsText = (metrics: readonly Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${labelsText(labels)} ${value}`),
      ].join('\n'),
    )
    .join('\n')
    .concat('\n')
