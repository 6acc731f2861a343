/** A metric with its samples; labels by name. */
export type Metric = {
  name: string
  type: 'gauge' | 'counter'
  help: string
  samples: readonly { labels?: Readonly<Record<string, string>>, value: number }[]
}

const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')

const labelsText = (labels: Readonly<Record<string, string>> = {}): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join()}}`
}

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** Prometheus' text format, version 0.0.4. Metrics without a sample are left out. */
export const metricsText = (metrics: readonly Metric[]): string => metrics.filter(({ samples }) => samples.length > 0).map(({ name, type, help, samples }) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples.map(({ labels, value }) => `${name}${labelsText(labels)} ${value}`),
].join('\n')).join('\n').concat('\n')
