// The shares of agents and hosts that are classified as others classify them; see docs/classification.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { classify, isSpam } from '../../src/channel/channel.ts'
import { isBot, parseAgent } from '../../src/collection/enrich/agent.ts'

const none = { source: null, medium: null, campaign: null, term: null, content: null }
const noHints = {
  brands: undefined,
  mobile: undefined,
  platform: undefined,
  platformVersion: undefined,
  model: undefined,
}

const rowsOf = (name: string): string[][] =>
  readFileSync(join('test/fixtures/classes', name), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => line.split('\t'))

const share = (part: number, all: number): string => `${((part / all) * 100).toFixed(2).padStart(6)} %`

/** Prints how many rows are right, and with --all those that are not. */
const tell = (what: string, rows: readonly string[][], isRight: (row: string[]) => boolean): void => {
  const wrong = rows.filter(row => !isRight(row))
  console.log(`${share(rows.length - wrong.length, rows.length)} of ${String(rows.length).padStart(5)}  ${what}`)
  if (process.argv.includes('--all')) for (const row of wrong) console.log(`          ${row.join('  ')}`)
}

const crawlers = rowsOf('crawlers.txt')
const people = rowsOf('people.tsv')
tell('bots refused', crawlers, ([userAgent = '']) => isBot(userAgent))
tell("people's agents counted", people, ([, , userAgent = '']) => !isBot(userAgent))

const traffic = (rows: readonly string[][]): number => rows.reduce((sum, [weight]) => sum + Number(weight), 0)
const known = people.filter(([, device, userAgent = '']) => parseAgent(userAgent, noHints).device === device)
const named = people.filter(([, , userAgent = '']) => parseAgent(userAgent, noHints).browser !== null)
console.log(`${share(traffic(known), traffic(people))} of traffic  devices as named by the source`)
console.log(`${share(traffic(named), traffic(people))} of traffic  with a browser's name`)

const channelOfKind: Record<string, string> = {
  ai: 'AI Assistants',
  email: 'Email',
  paid: 'Paid Search',
  search: 'Organic Search',
  social: 'Social Media',
  unknown: 'Referral',
  referral: 'Referral',
}
const hosts = rowsOf('hosts.tsv')
const isKind = ([host = '', ...kinds]: string[]): boolean => {
  const { channel } = classify({ referrer: `https://${host}/`, utm: none, clickId: null, siteHosts: [] })
  return kinds.some(kind => channelOfKind[kind] === channel)
}
const agreed = hosts.filter(([, matomo, other]) => matomo === other)
tell('hosts on both lists', agreed, isKind)
for (const kind of ['search', 'social'])
  tell(
    `hosts of ${kind} on both lists`,
    agreed.filter(([, matomo]) => matomo === kind),
    isKind,
  )
for (const kind of ['search', 'social', 'ai', 'email', 'paid', 'unknown'])
  tell(
    `hosts of ${kind} on one list`,
    hosts.filter(([, matomo, other]) => matomo !== other && [matomo, other].includes(kind)),
    isKind,
  )
tell('hosts that are not spam', hosts, ([host = '']) => !isSpam(`https://${host}/`, []))
