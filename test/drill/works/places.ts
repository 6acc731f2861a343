// The two fetches of a city database, from vendors on a slow line who can go on in the middle of a file.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { archiveOf, cityBytes, startVendor } from '../../support/vendor.ts'
import { expect, expectSame, expectSound, type Api, type Stage } from '../stage.ts'
import type { Work } from './work.ts'

const pieces = 20
/** Milliseconds between two pieces of the file. */
const drip = 10

const serveSlowly = async (response: ServerResponse, bytes: Buffer, range = ''): Promise<void> => {
  const from = Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0)
  const part = from === 0 ? {} : { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }
  response.writeHead(from === 0 ? 200 : 206, { etag: '"one"', 'content-length': bytes.length - from, ...part })
  const piece = Math.ceil(bytes.length / pieces)
  for (let at = from; at < bytes.length && !response.destroyed; at += piece) {
    response.write(bytes.subarray(at, at + piece))
    await wait(drip)
  }
  response.end()
}

/** Where a fetch comes from, how it is asked for, and what it leaves beside the database. */
type Fetch = {
  args: string[]
  ask: (api: Api) => Promise<unknown>
  again: (api: Api) => Promise<unknown>
  source: string
  ending: string
}

const fallback = async (stage: Stage): Promise<Fetch> => {
  const packed = gzipSync(readFileSync('test/fixtures/mmdb/GeoIP2-City-Test.mmdb'))
  const server = createServer((request, response) => void serveSlowly(response, packed, request.headers.range))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  stage.atEnd(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{year}-{month}.mmdb.gz`
  const ask = (api: Api): Promise<unknown> => api('/diagnostics/enable-fallback-city', {})
  return { args: ['--geoip-fallback-url', url], ask, again: ask, source: 'fallback_city', ending: '.city.mmdb' }
}

const licensed = async (stage: Stage): Promise<Fetch> => {
  const key = 'aB3dEf_6hIjKlMnOpQrStUvWxYz0123456789_mmk'
  const vendor = await startVendor(key)
  const archive = await archiveOf(cityBytes())
  vendor.publish(archive)
  vendor.before.storage = (request, response, { pathname }) => {
    if (!pathname.endsWith('.gz')) return false
    void serveSlowly(response, archive, request.headers.range)
    return true
  }
  stage.atEnd(vendor.close)
  return {
    args: ['--geoip-licensed-url', vendor.byKey],
    ask: api => api('/settings?_method=PUT', { geoip_license_key: key }),
    again: api => api('/cron/run', { jobs: ['geoip'] }),
    source: 'city',
    ending: '.licensed-city.mmdb',
  }
}

const sourceOf = async (api: Api): Promise<string> => (await api('/diagnostics')).geoip.source

const fetchWork = (name: string, from: (stage: Stage) => Promise<Fetch>): Work => ({
  name,
  prepare: async (stage, dice) => {
    const { args, ask, again, source, ending } = await from(stage)
    const data = stage.path(`${source}.db`)
    const files = (): string[] => readdirSync(dirname(data)).filter(file => file.startsWith(basename(data) + ending))
    const serve = () => stage.serve(data, args)
    return async () => {
      for (const file of files()) rmSync(join(dirname(data), file))
      let running = await serve()
      await ask(await stage.api(running, data))
      await wait(dice.below(pieces * drip * 2))
      running.process.kill('SIGKILL')
      await running.ended
      const killed = !files().includes(basename(data) + ending)
      expectSound(data)
      running = await serve()
      const api = await stage.api(running, data)
      const first = await sourceOf(api)
      expect(['country', source].includes(first), () => `after a kill the places come from ${first}`)
      await again(api)
      for (let left = 200; (await sourceOf(api)) !== source; left--) {
        expect(left > 0, () => 'the city database does not come')
        await wait(50)
      }
      expectSame(files(), [basename(data) + ending], 'files of the city database')
      running.process.kill('SIGTERM')
      expectSame(await running.ended, 0, 'the stop')
      return Number(killed)
    }
  },
})

export const fallbackPlacesWork = fetchWork('geoip download', fallback)
export const licensedPlacesWork = fetchWork('licensed geoip download', licensed)
