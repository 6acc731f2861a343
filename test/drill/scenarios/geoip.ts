// Downloads of both city databases from slow servers that support ranges.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { archiveOf, cityBytes, startVendor } from '../../support/vendor.ts'
import { until } from '../../support/wait.ts'
import { type Api, expect, expectIntact, expectSame, type Fixture } from '../fixture.ts'
import type { Scenario } from './scenario.ts'

const chunks = 20
/** Milliseconds between two chunks of the file. */
const chunkInterval = 10

const serveSlowly = async (response: ServerResponse, bytes: Buffer, range = ''): Promise<void> => {
  const from = Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0)
  const partial = from === 0 ? {} : { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }
  response.writeHead(from === 0 ? 200 : 206, { etag: '"one"', 'content-length': bytes.length - from, ...partial })
  const chunkSize = Math.ceil(bytes.length / chunks)
  for (let at = from; at < bytes.length && !response.destroyed; at += chunkSize) {
    response.write(bytes.subarray(at, at + chunkSize))
    await wait(chunkInterval)
  }
  response.end()
}

/** The settings of a download, how it is requested, and the suffix of its file. */
type Download = {
  args: string[]
  request: (api: Api) => Promise<unknown>
  retry: (api: Api) => Promise<unknown>
  source: string
  suffix: string
}

const fallback = async (fixture: Fixture): Promise<Download> => {
  const packed = gzipSync(readFileSync('test/fixtures/mmdb/GeoIP2-City-Test.mmdb'))
  const server = createServer((request, response) => void serveSlowly(response, packed, request.headers.range))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  fixture.onRemove(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{year}-{month}.mmdb.gz`
  const request = (api: Api): Promise<unknown> => api('/diagnostics/enable-fallback-city', {})
  return { args: ['--geoip-fallback-url', url], request, retry: request, source: 'fallback_city', suffix: '.city.mmdb' }
}

const licensed = async (fixture: Fixture): Promise<Download> => {
  const key = 'aB3dEf_6hIjKlMnOpQrStUvWxYz0123456789_mmk'
  const vendor = await startVendor(key)
  const archive = await archiveOf(cityBytes())
  vendor.publish(archive)
  vendor.before.storage = (request, response, { pathname }) => {
    if (!pathname.endsWith('.gz')) return false
    void serveSlowly(response, archive, request.headers.range)
    return true
  }
  fixture.onRemove(vendor.close)
  return {
    args: ['--geoip-licensed-url', vendor.byKey],
    request: api => api('/settings?_method=PUT', { geoip_license_key: key }),
    retry: api => api('/cron/run', { jobs: ['geoip'] }),
    source: 'city',
    suffix: '.licensed-city.mmdb',
  }
}

const sourceOf = async (api: Api): Promise<string> => (await api('/diagnostics')).geoip.source

const downloadScenario = (name: string, setUp: (fixture: Fixture) => Promise<Download>): Scenario => ({
  name,
  prepare: async (fixture, random) => {
    const { args, request, retry, source, suffix } = await setUp(fixture)
    const data = fixture.path(`${source}.db`)
    const files = (): string[] => readdirSync(dirname(data)).filter(file => file.startsWith(basename(data) + suffix))
    const serve = () => fixture.serve(data, args)
    return async () => {
      for (const file of files()) rmSync(join(dirname(data), file))
      let running = await serve()
      await request(await fixture.api(running, data))
      await wait(random.below(chunks * chunkInterval * 2))
      running.process.kill('SIGKILL')
      await running.ended
      const killed = !files().includes(basename(data) + suffix)
      expectIntact(data)
      running = await serve()
      const api = await fixture.api(running, data)
      const first = await sourceOf(api)
      expect(['country', source].includes(first), () => `after a kill the GeoIP source is ${first}`)
      await retry(api)
      await until(async () => expect((await sourceOf(api)) === source, () => 'the city database was not downloaded'))
      expectSame(files(), [basename(data) + suffix], 'files of the city database')
      running.process.kill('SIGTERM')
      expectSame(await running.ended, 0, 'the stop')
      return Number(killed)
    }
  },
})

export const fallbackGeoipScenario = downloadScenario('geoip download', fallback)
export const licensedGeoipScenario = downloadScenario('licensed geoip download', licensed)
