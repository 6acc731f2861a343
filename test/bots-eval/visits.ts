// Whole visits of machines to a service, over HTTPS and from a network of servers, with the tracker in the page: which of them
// are suspect once they have ended.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseConfig } from '../../src/config/config.ts'
import { makeCertificate } from '../support/certificate.ts'
import { withFile } from '../support/file.ts'
import { withFolder } from '../support/folder.ts'
import { type Running, withService } from '../support/service.ts'
import type { Machine, Stay } from './machines.ts'

export const stays: readonly Stay[] = [
  { pages: 1, seconds: 0.5 },
  { pages: 1, seconds: 5 },
  { pages: 1, seconds: 40 },
  { pages: 30, seconds: 0.5 },
]

/** Visits at the same time. */
const together = 3

/** The tracker is silent where a browser says that a program drives it; those that are looked for do not say so. */
const page = `<!doctype html><title>A page</title>
<script>Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })</script>
<script src="${parseConfig({}, {}).trackerPath}" defer></script><p>Text</p>`

/** A site of which every request comes from one address; what is no page of it is the service's. */
const openSite = async (keys: { key: string; cert: string }, service: string, address: string): Promise<Server> => {
  const server = createServer(keys, (incoming, response) => {
    const path = incoming.url ?? '/'
    if (/^\/[\d-]+\/\d+$/.test(path)) return void response.setHeader('content-type', 'text/html').end(page)
    const headers = { ...incoming.headers, 'x-forwarded-for': address, 'x-forwarded-proto': 'https' }
    const passed = request(`${service}${path}`, { method: incoming.method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  return server
}

/** Whether each visit was suspect, by the part of its address that names it. */
const judged = ({ file }: Running): Map<string, boolean> =>
  withFile(
    file,
    db =>
      new Map(
        (
          db
            .prepare(
              'select p.path, s.suspect from session s join view v on v.session_id = s.id join page p on p.id = v.page_id',
            )
            .raw()
            .all() as [string, number][]
        ).map(([path, suspect]) => [path.split('/')[1] ?? '', suspect === 1]),
      ),
  )

/** Of each machine, whether a visit of each of the `stays` was suspect. */
export const judgeVisits = async (machines: readonly Machine[]): Promise<Map<string, boolean[]>> => {
  const found = new Map<string, boolean[]>()
  await withFolder(async folder => {
    const { key, certificate } = makeCertificate(folder, ['localhost'])
    const keys = { key: readFileSync(key, 'utf8'), cert: readFileSync(certificate, 'utf8') }
    const flags = { 'trust-proxy': '127.0.0.1', 'site-url': 'https://localhost' }
    const start = new Date().toISOString()
    await withService({ file: join(folder, 'visits.db'), start, flags }, async running => {
      const ticking = setInterval(() => {
        running.clock.now = Date.now()
      }, 50)
      const waiting = machines.flatMap(({ visit }, machine) =>
        stays.map((stay, at) => async () => {
          // Each in a network of its own, of Hetzner.
          const site = await openSite(keys, running.service.url, `5.9.${machine * stays.length + at}.1`)
          await visit(`https://localhost:${(site.address() as AddressInfo).port}/${machine}-${at}`, stay)
          site.closeAllConnections()
          site.close()
        }),
      )
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next()
      }
      await Promise.all(Array.from({ length: together }, work))
      clearInterval(ticking)
      running.clock.now += 2 * 3_600_000
      await running.settled()
      const all = judged(running)
      for (const [machine, { name }] of machines.entries())
        found.set(
          name,
          stays.map((_, at) => {
            const suspect = all.get(`${machine}-${at}`)
            if (suspect === undefined) throw new Error(`no visit of ${name} came, ${at}`)
            return suspect
          }),
        )
    })
  })
  return found
}
