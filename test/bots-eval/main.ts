// How often each rule of headers and device fires, and how many would be suspect, for people and for machines.
import { evidenceOf, type Sent } from '../../src/bots/evidence.ts'
import { createServerNetworks } from '../../src/bots/networks.ts'
import { bitOf, isSuspect, rulesIn, suspicionRules } from '../../src/bots/rules.ts'
import { isBot } from '../../src/collection/enrich/agent.ts'
import { parseAddress } from '../../src/lib/address/list.ts'
import { peopleAddresses } from '../bots/addresses.ts'
import { people as hardCases } from '../bots/people.ts'
import { withFolder } from '../support/folder.ts'
import { createMachines } from './machines.ts'
import { drawPerson, type Person } from './people.ts'
import { judgePeople } from './people-visits.ts'
import { listen } from './server.ts'
import { judgeVisits, stays } from './visits.ts'

const isRefused = ({ userAgent, headers }: Sent): boolean => isBot(userAgent, headers.get('sec-ch-ua'))

const drawTaken = (): Person => {
  const sent = drawPerson()
  return isRefused(sent) ? drawTaken() : sent
}

const drawn = Array.from({ length: 50_000 }, drawTaken)
const people = drawn.map(evidenceOf)

console.log('| visits of people | suspect |\n| --- | --- |')
for (const { name, visits, suspect } of await judgePeople(drawn, 5000))
  console.log(`| ${name} | ${suspect} of ${visits} (${((100 * suspect) / visits).toFixed(2)} %) |`)

const isServer = createServerNetworks({ servers: [], people: [] })
const addresses = peopleAddresses.flatMap(([, texts]) => texts.map(parseAddress)).filter(address => address !== null)
/** Microseconds that a hit takes longer for being judged; the best of some passes, since other programs only add to it. */
const passes = Array.from({ length: 10 }, () => {
  const begun = performance.now()
  for (const [index, sent] of drawn.entries()) {
    evidenceOf(sent)
    isServer(addresses[index % addresses.length] ?? '')
  }
  return ((performance.now() - begun) * 1000) / drawn.length
})
console.log(`\nA hit takes ${Math.min(...passes).toFixed(1)} µs more.`)

const cases = hardCases.map(({ userAgent, headers, screen, language }) =>
  evidenceOf({
    userAgent,
    headers: new Map(Object.entries(headers)),
    screen: screen && { width: screen[0], height: screen[1] },
    language,
  }),
)

const tools = process.argv[2] ?? ''
const known = await createMachines(tools)
const met = await withFolder(async folder => {
  const hits = await listen(folder)
  try {
    const results: { name: string; sent: Sent }[] = []
    for (const { name, visit } of known) {
      const [sent] = await Promise.all([hits.next(), visit(hits.url)])
      results.push({ name, sent })
    }
    return results
  } finally {
    hits.close()
  }
})

console.log('\n| machine | rules |\n| --- | --- |')
for (const { name, sent } of met)
  console.log(`| ${name} | ${isRefused(sent) ? 'refused as a bot' : rulesIn(evidenceOf(sent)).join(', ') || '—'} |`)

const taken = met.filter(({ sent }) => !isRefused(sent))
const machines = taken.map(({ sent }) => evidenceOf(sent))
const groups = [people, cases, machines] as const

const row = (name: string, fires: (evidence: number) => boolean): void => {
  const cells = groups.map(group => `${((100 * group.filter(fires).length) / group.length).toFixed(2)} %`)
  console.log(`| ${name} | ${cells.join(' | ')} |`)
}

console.log(`\n| | people (${people.length}) | hard cases (${cases.length}) | machines (${machines.length}) |`)
console.log('| --- | --- | --- | --- |')
for (const { code, kind } of suspicionRules)
  if (kind === 'headers' || kind === 'device') row(`\`${code}\``, evidence => (evidence & bitOf(code)) !== 0)
row('any of these', evidence => evidence !== 0)
row('suspect by these alone', evidence => isSuspect(evidence, 0))
row('suspect where nobody was there', evidence => isSuspect(evidence | bitOf('nobody_there'), 0))
row('suspect in a network of servers', evidence => isSuspect(evidence | bitOf('server_network'), 0))

const visits = await judgeVisits(known.filter(({ name }) => taken.some(one => one.name === name)))
console.log('\n| visits from a network of servers | suspect | not |\n| --- | --- | --- |')
for (const [at, { pages, seconds }] of stays.entries()) {
  const missed = [...visits].filter(([, judged]) => judged[at] !== true).map(([name]) => name)
  const share = ((100 * (visits.size - missed.length)) / visits.size).toFixed(0)
  const kind = `${pages} ${pages === 1 ? 'page' : 'pages'} of ${seconds} s`
  console.log(
    `| ${kind} | ${visits.size - missed.length} of ${visits.size} (${share} %) | ${missed.join('; ') || '—'} |`,
  )
}
const all = [...visits.values()].flat()
console.log(`| all | ${((100 * all.filter(Boolean).length) / all.length).toFixed(1)} % | |`)
