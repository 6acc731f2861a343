// The rules of docs/metrics.md, by Prometheus itself: each fires for what it is meant for, and not on a healthy service.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/program.ts'
import { withService } from '../support/service.ts'

const test = needs('promtool')
const folder = temporaryFolder()
test.after(folder.remove)

const [scraping = '', rules = ''] = [
  ...readFileSync('docs/metrics.md', 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms),
].map(([, text]) => text)

const promtool = (...args: string[]): string => execFileSync('promtool', args, { encoding: 'utf8' })

/** The samples of a service as it scrapes them, with the labels that Prometheus adds; those of jobs at a time. */
const scraped = async (lastRun: number): Promise<Map<string, number>> => {
  const samples = new Map<string, number>()
  await withService({}, async ({ service, administrator, hit }) => {
    await hit({ page_url: '/a' })
    const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: administrator } })
    for (const line of (await answer.text()).split('\n').filter(one => one !== '' && !one.startsWith('#'))) {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      const isTime = name.includes('last_run')
      const all = [...(labels === '' ? [] : [labels]), 'job="footfall"', 'instance="a"'].join()
      samples.set(`${name}{${all}}`, isTime ? lastRun : Number(value))
    }
  })
  return samples
}

/** The alert, the sample that goes wrong, its values, and when the alert is raised. */
const cases: readonly (readonly [alert: string, sample: string, values: string, at: string])[] = [
  ['FootfallCannotWrite', 'footfall_collection_requests_total{outcome="storage"', '0 0 5 9 9 9', '5m'],
  ['FootfallCountsNothing', 'footfall_collection_requests_total{outcome="accepted"', '7x1500', '25h'],
  ['FootfallRetentionIsLate', 'footfall_job_last_run_timestamp_seconds{name="retention"', '0x200', '3h'],
  ['FootfallBackupIsLate', 'footfall_job_last_run_timestamp_seconds{name="backup"', '0x3000', '49h'],
  ['FootfallJobFailed', 'footfall_job_failed{name="audit"', '1x10', '1m'],
  ['FootfallDiskIsFull', 'footfall_disk_free_bytes{', '4e8x10', '1m'],
  ['FootfallLogGrows', 'footfall_wal_bytes{', '7e7x30', '20m'],
]

const labelsOf = (series: string): Record<string, string> =>
  Object.fromEntries([...series.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]))

/** What the document's rule says, filled in. */
const summaryOf = (alert: string, labels: Record<string, string>): string => {
  const rule = rules.split(`alert: ${alert}\n`)[1]?.split('- alert:')[0] ?? ''
  const [, summary = ''] = /summary: '?(.*?)'? \}$/m.exec(rule) ?? []
  return summary.replace('{{ $labels.name }}', labels.name ?? '')
}

test('the scrape configuration and the rules are valid', () => {
  writeFileSync(folder.path('prometheus.yml'), scraping)
  writeFileSync(folder.path('rules.yml'), rules)
  assert.match(promtool('check', 'config', folder.path('prometheus.yml')), /SUCCESS/)
  assert.match(promtool('check', 'rules', folder.path('rules.yml')), /SUCCESS: 8 rules found/)
})

test('each rule fires for what it watches, and none on a healthy service', async () => {
  const samples = await scraped(0)
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  const series = (name: string): string => {
    const found = [...samples.keys()].find(key => key.startsWith(name))
    // An outcome that never occurred has no sample yet.
    return found ?? `${name},job="footfall",instance="a"}`
  }
  const healthy = [...samples].map(([name, value]) => ({
    series: name,
    values: name.startsWith('footfall_collection_requests_total') ? `${value}+1x10` : `${value}x10`,
  }))
  const quiet = alerts.map(alertname => ({ eval_time: '1m', alertname, exp_alerts: [] }))
  const file = (name: string, tests: object[]): string => {
    const path = folder.path(`${name}.json`)
    writeFileSync(path, JSON.stringify({ rule_files: [folder.path('rules.yml')], evaluation_interval: '1m', tests }))
    return path
  }
  // A rule that fires although nothing is expected fails here, and so does one that does not fire.
  assert.match(
    promtool('test', 'rules', file('healthy', [{ interval: '1m', input_series: healthy, alert_rule_test: quiet }])),
    /SUCCESS/,
  )
  for (const [alert, name, values, at] of cases) {
    const wrong = series(name)
    const labels = labelsOf(wrong)
    // A sum has no labels.
    const exp_labels = alert === 'FootfallCountsNothing' ? {} : labels
    const exp_alerts = [{ exp_labels, exp_annotations: { summary: summaryOf(alert, labels) } }]
    const tests = [
      {
        interval: '1m',
        input_series: [{ series: wrong, values }],
        alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts }],
      },
    ]
    assert.match(promtool('test', 'rules', file(alert, tests)), /SUCCESS/, alert)
  }
})

test.run()
