import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { auditOf } from '../support/audit.ts'
import { type Running, withService } from '../support/service.ts'

const put = ({ api }: Running, body: object, as: 'administrator' | 'reader' | 'nobody' = 'administrator') =>
  api('/settings', { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }, as })

test('defaults, and who may see and change them', () =>
  withService({}, async running => {
    const { body } = await running.api('/settings')
    assert.equal(body, {
      tracking_enabled: true,
      respect_dnt: true,
      respect_gpc: true,
      consent_mode: 'cookieless',
      retention_days: 365,
      retention_mode: 'delete',
      excluded_ips: [],
      excluded_roles: ['administrator'],
      geoip_enabled: true,
      geoip_license_key: '',
    })
    assert.is((await running.api('/settings', { as: 'nobody' })).status, 401)
    assert.is((await running.api('/settings', { as: 'reader' })).status, 403)
    assert.is((await put(running, { respect_dnt: false }, 'reader')).status, 403)
  }))

test('a change takes effect at once, and stays', () =>
  withService({}, async running => {
    const { hit, api, restart, settled } = running
    await hit({ page_url: '/refused' }, { dnt: '1' })
    const { status, body } = await put(running, {
      respect_dnt: false,
      excluded_ips: '198.51.100.0/24, 2001:db8::1',
      geoip_license_key: 'secret',
    })
    assert.is(status, 200)
    assert.is(body.respect_dnt, false)
    assert.is(body.respect_gpc, true)
    assert.is(body.geoip_license_key, '********')
    assert.equal(body.excluded_ips, ['198.51.100.0/24', '2001:db8::1'])
    await hit({ page_url: '/counted' }, { dnt: '1' })
    await hit({ page_url: '/refused' }, { 'x-forwarded-for': '198.51.100.9' })
    await put(running, { geoip_license_key: '********' })
    await restart()
    assert.equal((await api('/settings')).body, body)
    await settled()
    assert.equal(
      (await api('/pages?from=2026-03-10&to=2026-03-10')).body.data.map((row: { page: string }) => row.page),
      ['/counted'],
    )
  }))

test('a wrong key changes nothing, and each is named', () =>
  withService({}, async running => {
    const wrong: [object, string[]][] = [
      [
        { respect_dnt: 'perhaps', consent_mode: 'none', retention_days: 29, respect_gpc: false },
        ['respect_dnt', 'consent_mode', 'retention_days'],
      ],
      [{ respect_gpc: false, colour: 'red' }, ['colour']],
      [{ respect_gpc: false, excluded_ips: ['10.0.0.0/33', '::1'] }, ['excluded_ips']],
      [
        {
          respect_gpc: false,
          excluded_ips: '::1, nonsense',
          retention_days: '400.5',
          excluded_roles: [''],
          geoip_license_key: 'x'.repeat(201),
          geoip_enabled: 'no',
          colour: 1,
        },
        ['excluded_ips', 'retention_days', 'excluded_roles', 'geoip_license_key', 'geoip_enabled', 'colour'],
      ],
      [{ excluded_roles: ['x'.repeat(61)], respect_gpc: false }, ['excluded_roles']],
      [{ tracking_enabled: [true], respect_gpc: false, excluded_ips: 7 }, ['tracking_enabled', 'excluded_ips']],
      [{ retention_mode: 'burn' }, ['retention_mode']],
    ]
    for (const [changes, names] of wrong) {
      const { status, body } = await put(running, changes)
      assert.is(status, 400)
      assert.is(body.code, 'rest_invalid_param')
      assert.equal(Object.keys(body.data.params).sort(), [...names].sort())
    }
    assert.is((await running.api('/settings')).body.respect_gpc, true)
  }))

test('who changed what is noted, but no key, no address, and nothing that stays as it was', () =>
  withService({}, async running => {
    await put(running, {
      respect_dnt: false,
      respect_gpc: true,
      retention_days: 90,
      excluded_ips: ['198.51.100.7'],
      geoip_license_key: ' hush hush ',
    })
    await put(running, { respect_dnt: false, geoip_license_key: '********', excluded_roles: ['editor'] })
    await put(running, { geoip_license_key: 'hush hush' })
    await put(running, { geoip_license_key: '', retention_days: 29 })
    await put(running, { geoip_license_key: '' })
    assert.equal(
      auditOf(running.file).filter(entry => /setting/.test(entry)),
      [
        'respect_dnt: true → false',
        'retention_days: 365 → 90',
        'excluded_ips; entries: 0 → 1',
        'geoip_license_key',
        'excluded_roles: administrator → editor',
        'geoip_license_key',
      ].map(what => `admin (test 0): Changed the setting ${what}.`),
    )
    assert.is((await running.api('/settings')).body.geoip_license_key, '')
  }))

test('each setting that concerns hits counts from the next one on', () =>
  withService({}, async running => {
    const page = (name: string) => ({ page_url: `/${name}` })
    const logged = await running.api('/session', {
      method: 'POST',
      as: 'nobody',
      headers: { 'content-type': 'application/json' },
      body: '{"login":"reader","password":"long enough for it"}',
    })
    const cookie = logged.headers.get('set-cookie')?.split(';')[0] ?? ''
    const steps: [setting: object, headers: Record<string, string>][] = [
      [{ tracking_enabled: false }, {}],
      [{ tracking_enabled: true, respect_dnt: true }, { dnt: '1' }],
      [{ respect_gpc: true }, { 'sec-gpc': '1' }],
      [{ excluded_ips: ['203.0.113.0/24'] }, {}],
      [{ excluded_ips: [], excluded_roles: ['subscriber'] }, { cookie }],
      [{ consent_mode: 'disabled-until-consent' }, {}],
    ]
    for (const [index, [setting, headers]] of steps.entries()) {
      await running.hit(page(`counted-${index}`))
      assert.is((await put(running, setting)).status, 200)
      await running.hit(page(`hidden-${index}`), headers)
      if (index === 0) await put(running, { tracking_enabled: true })
      if (index === 3) await put(running, { excluded_ips: [] })
    }
    await put(running, { consent_mode: 'cookieless', excluded_roles: [], respect_dnt: false, respect_gpc: false })
    await running.hit(page('last'), { dnt: '1', 'sec-gpc': '1', cookie })
    await running.settled()
    const { body } = await running.api('/pages?from=2026-03-10&to=2026-03-10')
    assert.equal(body.data.map((row: { page: string }) => row.page).sort(), [
      ...steps.map((_, index) => `/counted-${index}`),
      '/last',
    ])
  }))

test.run()
