// How visits are classified, from the request to the report.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'

type Visit = [address: string, channel: string, source: string]

/** Sends each visit from a network of its own, and compares what /sources then says of it with what is due. */
const reported = async (running: Running, visits: readonly Visit[]): Promise<void> => {
  for (const [index, [address]] of visits.entries()) {
    const { status } = await running.hit({ page_url: address }, { 'x-forwarded-for': `203.0.${index}.7` })
    assert.is(status, 204)
  }
  await running.settled()
  const { body } = await running.api('/sources?from=2026-03-10&to=2026-03-10&limit=200')
  const rows = body.data.map((row: any) => `${row.channel} ${row.source} ${row.sessions}`)
  assert.equal(rows.sort(), visits.map(([, channel, source]) => `${channel} ${source} 1`).sort())
}

test('source, or else ref, stands for an absent utm_source', async () => {
  await withService({}, async running => {
    await reported(running, [
      ['/?source=facebook', 'Social Media', 'Facebook'],
      ['/?ref=producthunt', 'Social Media', 'Product Hunt'],
      ['/?source=partner-blog&ref=bing', 'Referral', 'partner-blog'],
      ['/?source=2026&ref=duckduckgo', 'Organic Search', 'DuckDuckGo'],
      ['/?utm_source=google&source=twitter', 'Organic Search', 'Google'],
      ['/?utm_source=&source=reddit', 'Social Media', 'Reddit'],
      ['/?ref=google_ads', 'Paid Search', 'Google'],
      ['/?utm_medium=email&ref=spring', 'Email', 'spring'],
    ])
  })
})

test('what does not look like a name is no source', async () => {
  await withService({}, async running => {
    for (const [index, value] of ['12345', 'x', '-a', '/nav/top', 'a b', 'me@mail.example', 'a'.repeat(61)].entries()) {
      const query = `ref=${encodeURIComponent(value)}`
      await running.hit({ page_url: `/?${query}` }, { 'x-forwarded-for': `203.0.${index}.7` })
    }
    await running.settled()
    const { body } = await running.api('/sources?from=2026-03-10&to=2026-03-10')
    assert.equal(
      body.data.map((row: any) => [row.channel, row.sessions]),
      [['Direct', 7]],
    )
    assert.equal((await running.api('/utm?from=2026-03-10&to=2026-03-10')).body.data, [])
  })
})

test('ads, posts and newsletters are distinguished', async () => {
  await withService({}, async running => {
    await reported(running, [
      ['/?utm_source=fb-ads', 'Paid Social', 'Facebook'],
      ['/?utm_source=facebook&utm_medium=organic', 'Social Media', 'Facebook'],
      ['/?gad_source=1', 'Paid Search', 'Google'],
      ['/?ScCid=0123', 'Paid Social', 'Snapchat'],
      ['/?mc_cid=0123456789', 'Email', 'Mailchimp'],
      ['/?utm_source=Newsletter-UK', 'Email', 'Newsletter-UK'],
      ['/?utm_source=acme&utm_medium=direct_mail', 'Referral', 'acme'],
    ])
  })
})

test('an iPad that calls itself a Mac is a tablet', async () => {
  const safari =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15'
  await withService({}, async running => {
    for (const [index, [width, height]] of [
      [820, 1180],
      [390, 844],
      [1440, 900],
    ].entries())
      await running.hit(
        { page_url: '/', screen_width: width, screen_height: height },
        { 'user-agent': safari, 'x-forwarded-for': `203.0.${index}.7` },
      )
    await running.settled()
    const keysOf = async (type: string): Promise<unknown[]> =>
      (await running.api(`/dimensions/${type}?from=2026-03-10&to=2026-03-10`)).body.data
        .map((row: any) => `${row.key} ${row.sessions}`)
        .sort()
    assert.equal(await keysOf('device'), ['desktop 1', 'mobile 1', 'tablet 1'])
    assert.equal(await keysOf('os'), ['iOS 2', 'macOS 1'])
  })
})

test.run()
