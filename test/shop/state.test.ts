// What a shop says of itself, and the pins of a user whom the host platform removes: pushed by it.
import { SignJWT } from 'jose'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService } from '../support/service.ts'

const secret = new TextEncoder().encode('a secret that is long enough for it')
const now = Date.parse('2026-03-10T12:00:00Z') / 1000
const as = 'nobody'

const tokenOf = async (claims: object): Promise<Record<string, string>> => {
  const token = await new SignJWT({ sub: '7', aud: 'footfall', iat: now, exp: now + 300, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret)
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
}

test('the state that a shop pushes is in wc-status', () =>
  withService({ jwtKeys: { secrets: [secret], publicKey: null } }, async ({ api }) => {
    const headers = await tokenOf({ capabilities: ['footfall_push'] })
    const push = async (body: object): Promise<number> =>
      (await api('/woocommerce/state', { method: 'POST', body: JSON.stringify(body), headers, as })).status
    const state = async (): Promise<unknown[]> => {
      const { data } = (await api('/revenue/wc-status')).body
      return [data.woocommerce_active, data.woocommerce_version, data.hpos_enabled, data.attribution_enabled]
    }
    assert.equal(await state(), [false, null, null, null])
    const whole = { woocommerce_version: '11.0.1', currency: 'EUR', hpos_enabled: true, attribution_enabled: false }
    assert.is(await push(whole), 204)
    assert.equal(await state(), [true, '11.0.1', true, false])
    const currency = async (): Promise<string> =>
      (await api('/revenue/summary?from=2026-03-10&to=2026-03-10')).body.meta.currency
    assert.is(await currency(), 'EUR')
    assert.is(await push({ woocommerce_version: '11.0.2' }), 204)
    assert.equal([await state(), await currency()], [[true, '11.0.2', null, null], 'EUR'])
    const backfill = async (): Promise<unknown[]> => {
      const { state, total, processed, refunds, last_error } = (await api('/revenue/wc-status')).body.data.backfill
      return [state, total, processed, refunds, last_error]
    }
    const shop = { woocommerce_version: '11.0.2' }
    assert.is(await push({ ...shop, backfill: { state: 'running', total: 250, processed: 100, refunds: 3 } }), 204)
    assert.equal(await backfill(), ['running', 250, 100, 3, null])
    assert.is(await push({ ...shop, backfill: { state: 'failed', last_error: 'No.' } }), 204)
    assert.equal(await backfill(), ['failed', null, 0, 0, 'No.'])
    assert.is(await push({ ...shop, backfill: { state: 'idle' } }), 400)
    for (const wrong of [{}, { ...whole, currency: 'euro' }, { ...whole, hpos_enabled: 'yes' }])
      assert.is(await push(wrong), 400, JSON.stringify(wrong))
  }))

test('the pins of a removed user are forgotten, and no others', () =>
  withService({ jwtKeys: { secrets: [secret], publicKey: null } }, async ({ api }) => {
    const pinned = async (sub: string): Promise<string[]> => {
      const headers = await tokenOf({ sub, capabilities: ['footfall_view_reports'] })
      return (await api('/advisor/preferences', { headers, as })).body.pinned_questions
    }
    for (const sub of ['7', '8']) {
      const headers = await tokenOf({ sub, capabilities: ['footfall_view_reports'] })
      await api('/advisor/preferences', { method: 'PUT', body: '{"pinned_questions":["q3"]}', headers, as })
    }
    const remove = async (user: string, capability: string): Promise<number> =>
      (
        await api(`/advisor/preferences/${user}`, {
          method: 'DELETE',
          headers: await tokenOf({ capabilities: [capability] }),
          as,
        })
      ).status
    assert.is(await remove('7', 'footfall_view_reports'), 403)
    assert.equal([await pinned('7'), await pinned('8')], [['q3'], ['q3']])
    assert.is(await remove('7', 'footfall_push'), 204)
    assert.is(await remove('7', 'footfall_push'), 204, 'again')
    assert.equal([(await pinned('7')).length, await pinned('8')], [5, ['q3']])
  }))

test.run()
