// The machine's clock jumps under a running service, back and forth, by hours and by a day: it goes on, and loses
// nothing.
import { renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { type Program, sources, temporaryFolder } from '../support/program.ts'
import { holdLedger, ledgerOf, numbers, pause, type Served, sendAll, serveOn, withStatus } from '../support/served.ts'
import { withService } from '../support/service.ts'
import { patience, until } from '../support/wait.ts'

const folder = temporaryFolder()
const { serve, endAll } = serveOn()

test.after(() => {
  endAll()
  folder.remove()
})

/** A service whose clock is this machine's, shifted by what the test says. */
const shiftable = (name: string): { program: Program; shift: (hours: number) => void } => {
  const file = folder.path(`${name}.shift`)
  const [node, main = ''] = sources.command
  const shift = (hours: number): void => {
    // In one step, as the service reads it all the time.
    writeFileSync(`${file}.new`, String(Math.round(hours * 3600)))
    renameSync(`${file}.new`, file)
  }
  shift(0)
  return {
    program: {
      name: 'a shifted clock',
      command: [node, '--import', resolve('test/fixtures/shifted-clock.mjs'), main],
      env: { SHIFT: file },
    },
    shift,
  }
}

const dayText = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const wide = `from=${dayText(-4)}&to=${dayText(4)}`

const settled = async ({ report }: Served, views: number): Promise<number> => {
  const ask = async (): Promise<number> => (await report(`/summary?${wide}`)).data.totals.views
  for (const end = Date.now() + patience * 1000; ; await pause(100)) {
    const shown = await ask()
    if (shown >= views || Date.now() > end) return shown
  }
}

const jumps = [0, 5, -3, 24, -24, 0.5, 2, 0]

test('whatever the clock does, each hit is taken, once, and the figures are those of a rebuild', async () => {
  const data = folder.path('jumps.db')
  const { program, shift } = shiftable('jumps')
  const served = await serve(data, program)
  for (const [index, hours] of jumps.entries()) {
    shift(hours)
    const ids = numbers(index * 10, 10)
    assert.equal(withStatus(await sendAll(served.hit, ids), 204), ids, `at ${hours} hours`)
    // A phone sends again what it had no answer for, whatever the clock is by now.
    const again = numbers(0, index * 10 + 10)
    assert.equal(
      withStatus(await sendAll(served.hit, again.slice(-20)), 204),
      again.slice(-20),
      `again at ${hours} hours`,
    )
  }
  const views = jumps.length * 10
  assert.is(await settled(served, views), views)
  assert.equal(await served.critical(), ['clock'], 'visits of tomorrow are reported')
  assert.is(await served.stop(), 0)
  assert.is(
    served.running.output.stderr
      .split('\n')
      .filter(line => / error /.test(line))
      .join('\n'),
    '',
  )
  holdLedger(ledgerOf(data))
  assert.is(ledgerOf(data).accepted, views)
  const { stdout } = await footfallHere(['rebuild', '--data', data])
  assert.match(stdout, /No figures changed\./)
})

test('after a jump back, what is done by the clock goes on: settings count within moments, the ledger is written', async () => {
  const data = folder.path('back.db')
  const { program, shift } = shiftable('back')
  const served = await serve(data, program)
  shift(24)
  assert.is((await served.hit(1)).status, 204)
  await pause(1500)
  shift(-5)
  assert.is((await served.hit(2)).status, 204)
  assert.is((await footfallHere(['settings', 'set', 'tracking_enabled=false', '--data', data])).status, 0)
  let id = 3
  await until(async () => {
    await served.hit(id++)
    assert.ok(
      (ledgerOf(data).off ?? 0) > 0,
      'the change of a setting is not seen, or the ledger not written, until the old hour comes again',
    )
  })
  assert.is(await served.stop(), 0)
})

test('visits of a clock that was ahead are not on the site now', () =>
  withService({}, async ({ hit, api, clock, settled }) => {
    clock.now += 5 * 3_600_000
    await hit({ page_url: '/ahead' })
    clock.now -= 5 * 3_600_000
    await hit(
      { page_url: '/now' },
      { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    )
    await settled()
    const { data } = (await api('/realtime')).body
    assert.is(data.active_visitors, 1)
    assert.equal(
      [data.active_pages, data.recent].map(list => list.map((row: { page: string }) => row.page)),
      [['/now'], ['/now']],
    )
    clock.now += 5 * 3_600_000
    assert.is((await api('/realtime')).body.data.active_visitors, 1, 'it is when its time comes')
  }))

test.run()
