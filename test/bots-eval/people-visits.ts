// Whole visits of people to a service, from the networks that carry them: which of them are suspect once they have ended.
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { peopleAddresses, serverAddresses } from '../bots/addresses.ts'
import { withFile } from '../support/file.ts'
import { withFolder } from '../support/folder.ts'
import { type Running, withService } from '../support/service.ts'
import type { Person } from './people.ts'

/** `seconds` of 0: a page that is loaded and never looked at, as in a tab behind others. */
type Stay = { name: string; pages: number; seconds: number; from: readonly string[] }

const networks = peopleAddresses.filter(([name]) => name !== 'private' && name !== 'nobody')
const usual = networks.flatMap(([, addresses]) => addresses)
const rented = serverAddresses.flatMap(([, addresses]) => addresses)

const stays: readonly Stay[] = [
  { name: '1 page, never looked at', pages: 1, seconds: 0, from: usual },
  { name: '1 page of 3 s', pages: 1, seconds: 3, from: usual },
  { name: '1 page of 40 s', pages: 1, seconds: 40, from: usual },
  { name: '4 pages of 20 s', pages: 4, seconds: 20, from: usual },
  { name: '1 page of 40 s, through a VPN of their own on a rented server', pages: 1, seconds: 40, from: rented },
]

const connections = new Agent({ keepAlive: true, maxSockets: 32 })

const post = ({ service }: Running, route: string, { userAgent, headers }: Person, address: string, body: object) =>
  new Promise<void>((resolve, reject) => {
    const sent = request(
      `${service.url}/analytics/v1/${route}`,
      {
        method: 'POST',
        agent: connections,
        headers: {
          ...Object.fromEntries(headers),
          'content-type': 'text/plain',
          'user-agent': userAgent,
          'x-forwarded-for': address,
          'x-forwarded-proto': 'https',
        },
      },
      answer => {
        answer.resume().on('end', () => {
          if (answer.statusCode === 204) resolve()
          else reject(new Error(`/${route} answered ${answer.statusCode}`))
        })
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })

let views = 0

/** One person from each address, all of them page by page. */
const visitTogether = async (running: Running, { pages, seconds, from }: Stay, path: string, next: () => Person) => {
  const visitors = from.map(address => ({ address, person: next() }))
  for (let page = 0; page < pages; page++) {
    const ids = visitors.map(() => `people-view-${(views++).toString().padStart(9, '0')}`)
    await Promise.all(
      visitors.map(({ address, person }, index) =>
        post(running, 'hit', person, address, {
          page_url: `https://example.org${path}${page === 0 ? '' : `/${page}`}`,
          pvid: ids[index],
          language: person.language,
          screen_width: person.screen?.width,
          screen_height: person.screen?.height,
        }),
      ),
    )
    if (seconds === 0) continue
    // Nobody reads two pages for as long as each other.
    const read = seconds + page * 3
    running.clock.now += read * 1000
    await Promise.all(
      visitors.map(({ address, person }, index) =>
        post(running, 'engagement', person, address, { pvid: ids[index], engagement_time: read, scroll_depth: 60 }),
      ),
    )
  }
  // What came later from this address would be the same visit.
  running.clock.now += 2 * 3_600_000
}

export type Judged = { name: string; visits: number; suspect: number }

/** Of each kind of stay, how many of about `count` visits were suspect. */
export const judgePeople = (people: readonly Person[], count: number): Promise<Judged[]> =>
  withFolder(async folder => {
    const file = join(folder, 'people.db')
    const flags = { siteUrl: 'https://example.org' }
    let taken = 0
    const next = (): Person => {
      const person = people[taken++ % people.length]
      if (person === undefined) throw new Error('nobody is there')
      return person
    }
    await withService({ file, start: '2026-03-02T00:00:00Z', flags }, async running => {
      for (const [index, stay] of stays.entries())
        for (let round = 0; round * stay.from.length < count; round++)
          await visitTogether(running, stay, `/${index}`, next)
      await running.settled()
    })
    return withFile(file, db =>
      stays.map(({ name }, index) => {
        const found = db
          .prepare(
            `select count(*) as visits, coalesce(sum(suspect), 0) as suspect
             from session
             where id in (select session_id from view v join page p on p.id = v.page_id where p.path = ?)`,
          )
          .get(`/${index}`) as { visits: number; suspect: number }
        return { name, ...found }
      }),
    )
  })
