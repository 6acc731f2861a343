// Settings from the command line, with a running service and without one.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSalts } from '../../src/collection/enrich/salts.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createZone } from '../../src/lib/time.ts'
import { auditOf } from '../support/audit.ts'
import { footfallHere } from '../support/command.ts'
import { lastingSalt } from '../support/salts.ts'
import { type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const run = ({ file }: Running, ...args: string[]) => footfallHere(['settings', ...args, '--data', file])

test('settings are shown, one or all, for people and for programs', () =>
  withService({}, async running => {
    const { body } = await running.api('/settings')
    assert.equal(JSON.parse((await run(running, 'get', '--json')).stdout), body)
    assert.equal(JSON.parse((await run(running, '--json')).stdout), body)
    assert.match((await run(running)).stdout, /^tracking_enabled = true$.*^excluded_roles = administrator$/ms)
    assert.is((await run(running, 'get', 'retention_days')).stdout, '365\n')
    const unknown = await run(running, 'get', 'colour')
    assert.is(unknown.status, 2)
    assert.match(unknown.stderr, /There is no setting 'colour'. The settings are tracking_enabled,/)
  }))

test('a change counts in the running service by itself, and is in the log of changes as made by cli', () =>
  withService({}, async running => {
    const { status } = await run(
      running,
      'set',
      'respect_dnt=false',
      'excluded_ips=198.51.100.0/24,2001:db8::1',
      'geoip_license_key=hush-hush',
    )
    assert.is(status, 0)
    await until(async () => {
      const { body } = await running.api('/settings')
      assert.equal(
        [body.respect_dnt, body.excluded_ips, body.geoip_license_key],
        [false, ['198.51.100.0/24', '2001:db8::1'], '********'],
      )
    })
    await running.hit({ page_url: '/counted' }, { dnt: '1' })
    await running.settled()
    assert.is((await running.api('/summary?from=2026-03-10&to=2026-03-10')).body.data.totals.views, 1)
    const audit = auditOf(running.file).filter(entry => /setting/.test(entry))
    assert.equal(
      audit.map(entry => entry.split(':', 1)[0]),
      ['cli', 'cli', 'cli'],
    )
    assert.not.match(JSON.stringify(audit), /hush/)
    assert.is((await run(running, 'set', 'retention_days', '90')).status, 0)
    assert.is((await run(running, 'get', 'retention_days')).stdout, '90\n')
  }))

test('a wrong value is named, and nothing is changed', () =>
  withService({}, async running => {
    const cases: [string[], RegExp][] = [
      [['respect_gpc=false', 'retention_days=29'], /retention_days must be between 30/],
      [['respect_gpc=false', 'excluded_ips=10.0.0.0/33'], /10\.0\.0\.0\/33/],
      [['respect_gpc=false', 'consent_mode=none'], /consent_mode is not one of/],
      [['respect_gpc=false', 'colour=red'], /There is no setting 'colour'/],
      [['respect_gpc=perhaps'], /respect_gpc is not of type boolean/],
      [['respect_gpc', 'off', 'now'], /'respect_gpc' is not KEY=VALUE/],
    ]
    for (const [args, message] of cases) {
      const { status, stderr } = await run(running, 'set', ...args)
      assert.is(status, 2, args.join(' '))
      assert.match(stderr, message)
    }
    assert.is((await run(running, 'get', 'respect_gpc')).stdout, 'true\n')
  }))

test('who leaves the mode full while no service runs is forgotten at the next start', () =>
  withService({}, async running => {
    await running.restart(async () => {
      const { db } = openDatabase(running.file)
      createSalts(db, createZone('UTC'), 'site').lasting('a-browser-that-consented')
      db.close()
      assert.ok(lastingSalt(running.file))
      await run(running, 'set', 'consent_mode=cookieless')
    })
    assert.is(lastingSalt(running.file), undefined)
  }))

test.run()
