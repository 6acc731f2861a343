import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, expectSame, expectSound, type Api, type Stage } from '../stage.ts'
import type { Work } from './work.ts'

const packed = gzipSync(readFileSync('test/fixtures/mmdb/GeoIP2-City-Test.mmdb'))
const pieces = 20
/** Milliseconds between two pieces of the file. */
const drip = 10

/** A vendor on a slow line, who can go on in the middle of a file. */
const startVendor = async (stage: Stage): Promise<string> => {
  const server = createServer(async (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const range = from === 0 ? {} : { 'content-range': `bytes ${from}-${packed.length - 1}/${packed.length}` }
    response.writeHead(from === 0 ? 200 : 206, { etag: '"one"', 'content-length': packed.length - from, ...range })
    for (let at = from; at < packed.length && !response.destroyed; at += Math.ceil(packed.length / pieces)) {
      response.write(packed.subarray(at, at + Math.ceil(packed.length / pieces)))
      await wait(drip)
    }
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  stage.atEnd(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/{year}-{month}.mmdb.gz`
}

const sourceOf = async (api: Api): Promise<string> => (await api('/diagnostics')).geoip.source

const fetched = async (api: Api): Promise<void> => {
  await api('/diagnostics/enable-fallback-city', {})
  for (let left = 200; left > 0; left--) {
    if (await sourceOf(api) === 'fallback_city') return
    await wait(50)
  }
  expect(false, () => 'the city database does not come')
}

export const placesWork: Work = {
  name: 'geoip download',
  prepare: async (stage, dice) => {
    const vendor = await startVendor(stage)
    const data = stage.path('places.db')
    const files = (): string[] => readdirSync(dirname(data)).filter(name => name.startsWith(`${basename(data)}.city`))
    const serve = () => stage.serve(data, ['--geoip-fallback-url', vendor])
    return async () => {
      for (const name of files()) rmSync(`${dirname(data)}/${name}`)
      let running = await serve()
      await (await stage.api(running, data))('/diagnostics/enable-fallback-city', {})
      await wait(dice.below(pieces * drip * 2))
      running.process.kill('SIGKILL')
      await running.ended
      const killed = !files().includes(`${basename(data)}.city.mmdb`)
      expectSound(data)
      running = await serve()
      const api = await stage.api(running, data)
      const source = await sourceOf(api)
      expect(['country', 'fallback_city'].includes(source), () => `after a kill the places come from ${source}`)
      await fetched(api)
      expectSame(files(), [`${basename(data)}.city.mmdb`], 'files of the city database')
      running.process.kill('SIGTERM')
      expectSame(await running.ended, 0, 'the stop')
      return Number(killed)
    }
  },
}
