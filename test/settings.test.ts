import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService, type Running } from './service.ts'

const put = ({ api }: Running, body: object, as: 'administrator' | 'reader' | 'nobody' = 'administrator') =>
  api('/settings', { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }, as })

test('defaults, and who may see and change them', () => withService({}, async running => {
  const { body } = await running.api('/settings')
  assert.equal(body, {
    tracking_enabled: true, respect_dnt: true, respect_gpc: true, consent_mode: 'cookieless', retention_days: 365, retention_mode: 'delete',
    excluded_ips: [], excluded_roles: ['administrator'], geoip_enabled: true, geoip_license_key: '',
  })
  assert.is((await running.api('/settings', { as: 'nobody' })).status, 401)
  assert.is((await running.api('/settings', { as: 'reader' })).status, 403)
  assert.is((await put(running, { respect_dnt: false }, 'reader')).status, 403)
}))

test('a change takes effect at once, and stays', () => withService({}, async running => {
  const { hit, api, restart, settled } = running
  await hit({ page_url: '/refused' }, { dnt: '1' })
  const { status, body } = await put(running, { respect_dnt: false, excluded_ips: '198.51.100.0/24, 2001:db8::1', geoip_license_key: 'secret' })
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
  assert.equal((await api('/pages?from=2026-03-10&to=2026-03-10')).body.data.map((row: { page: string }) => row.page), ['/counted'])
}))

test('a wrong key changes nothing, and each is named', () => withService({}, async running => {
  const wrong: [object, string[]][] = [
    [{ respect_dnt: 'perhaps', consent_mode: 'none', retention_days: 29, respect_gpc: false }, ['respect_dnt', 'consent_mode', 'retention_days']],
    [{ respect_gpc: false, colour: 'red' }, ['colour']],
    [{ respect_gpc: false, excluded_ips: ['10.0.0.0/33', '::1'] }, ['excluded_ips']],
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

test.run()
