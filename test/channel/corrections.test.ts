// What the operator says of hosts and sources: --sources FILE.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { classify } from '../../src/channel/channel.ts'
import { type Corrections, parseCorrections } from '../../src/channel/corrections.ts'
import { withFolder } from '../support/folder.ts'
import { footfall } from '../support/program.ts'
import { type Running, withService } from '../support/service.ts'

const text = `
# Our own.
intranet.example → Referral, Intranet
news.example     => Email, The News   # an archive of our newsletter
paypal.com       = Direct
google.com       → Organic Search, The Googles
android-app://com.acme.app → Social Media, Acme
acme-letter      → email
house            → Direct
`

const corrections = (content: string): Corrections => {
  const parsed = parseCorrections(content)
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

const none = { source: null, medium: null, campaign: null, term: null, content: null }
const seen = (referrer: string | null, tags: Partial<typeof none> | Record<string, string> = {}): string => {
  const arrival = { referrer, utm: { ...none, ...tags }, clickId: null, siteHosts: ['shop.example'] }
  const { channel, source, domain } = classify({ ...arrival, corrections: corrections(text) })
  return `${channel}, ${source}, ${domain}`
}

test('a host and all below it have the channel and the name that the file says', () => {
  assert.is(seen('https://intranet.example/wiki'), 'Referral, Intranet, intranet.example')
  assert.is(seen('https://old.news.example/1'), 'Email, The News, old.news.example')
  assert.is(seen('https://www.google.com/'), 'Organic Search, The Googles, google.com')
  assert.is(seen('https://www.google.de/'), 'Organic Search, Google, google.de')
  assert.is(seen('https://notnews.example/'), 'Referral, notnews.example, notnews.example')
  assert.is(seen('android-app://com.acme.app'), 'Social Media, Acme, com.acme.app')
})

test('a source is known by its letters and digits, or by a host of the file', () => {
  assert.is(seen(null, { source: 'Acme_Letter' }), 'Email, acme-letter, null')
  assert.is(seen(null, { source: 'news.example', medium: 'social' }), 'Email, The News, null')
  assert.is(seen(null, { source: 'acme-letter', medium: 'referral' }), 'Email, acme-letter, null')
  assert.is(seen(null, { source: 'acme' }), 'Referral, acme, null')
})

test('an ad is an ad, whatever the file says of its source', () => {
  assert.is(seen(null, { source: 'acme-letter', medium: 'cpc' }), 'Paid Search, acme-letter, null')
  assert.is(seen('https://news.example/', { medium: 'cpc' }), 'Paid Search, The News, news.example')
})

test('Direct counts as no referrer, or as no source', () => {
  assert.is(seen('https://www.paypal.com/checkout'), 'Direct, Direct, null')
  assert.is(seen(null, { source: 'House' }), 'Direct, Direct, null')
  assert.is(seen('https://news.example/', { source: 'house' }), 'Email, The News, news.example')
})

test('a wrong line is named', () => {
  for (const [content, reason] of [
    ['a.example → Serch', /^line 1: 'Serch' is no channel\. The channels are Direct, /],
    ['\n# x\na.example', /^line 3: 'a\.example' is not/],
    ['a.example → Email\nwww.a.example = Referral', /^line 2: .* says again/],
    ['a..b → Email', /^line 1: 'a\.\.b' is neither a host nor a source/],
    ['--- → Email', /^line 1: '---' is neither/],
    ['a.example/blog → Email', /^line 1: 'a\.example\/blog' is neither/],
    ['https://a.example/?x → Email', /^line 1: .* is neither/],
    ['203.0.113.0/24 → Email', /^line 1: '203\.0\.113\.0\/24' is neither a host nor a source/],
    ['203.0.113.0/33 → Servers', /^line 1: '203\.0\.113\.0\/33' is neither an address nor a network/],
    ['a.example → People', /^line 1: 'a\.example' is neither an address nor a network/],
    ['203.0.113.7 → People, Office', /^line 1: '203\.0\.113\.7' has a name/],
    ['203.0.113.7 → People\n203.0.113.7 → Servers', /^line 2: .* says again/],
    ['a'.repeat(1e6), /^line 1: 'a{80}…' is not/],
  ] as const)
    assert.match(String(parseCorrections(content)), reason)
  assert.is(corrections('\r\n# nothing\r\n').services.size, 0)
  assert.is(corrections('https://a.example/ → Email\n\tb.example=Email').services.size, 2)
})

const rows = async ({ api }: Running): Promise<{ rows: string[]; meta: any }> => {
  const { body } = await api('/sources?from=2026-03-01&to=2026-03-31')
  return { rows: body.data.map((row: any) => `${row.channel} ${row.source} ${row.sessions}`).sort(), meta: body.meta }
}

test('visits after the start are classified by the file, and reports say so', async () => {
  await withFolder(async path => {
    const file = join(path, 'sources.txt')
    writeFileSync(file, text)
    await withService({ flags: { sources: file } }, async running => {
      const visit = (network: number): Promise<unknown> =>
        running.hit({ page_url: '/', referrer: 'https://news.example/1' }, { 'x-forwarded-for': `203.0.${network}.7` })
      await visit(1)
      await running.settled()
      const first = await rows(running)
      assert.equal(first.rows, ['Email The News 1'])
      assert.equal(first.meta.sources_file, { entries: 7, since: '2026-03-10' })
      const { body } = await running.api('/sources?from=2026-03-01&to=2026-03-09')
      assert.is(body.meta.sources_file, undefined)

      // A visit of before keeps its channel; a later one is classified by the changed file.
      await running.restart(() => writeFileSync(file, 'news.example → Referral, A Paper'))
      await visit(2)
      await running.settled()
      const second = await rows(running)
      assert.equal(second.rows, ['Email The News 1', 'Referral A Paper 1'])
      assert.equal(second.meta.sources_file, { entries: 1, since: '2026-03-10' })

      await running.restart(() => writeFileSync(file, ''))
      assert.is((await rows(running)).meta.sources_file, undefined)
    })
  })
})

test('a host that the file names is not spam, nor is one below it', async () => {
  await withFolder(async path => {
    const file = join(path, 'sources.txt')
    writeFileSync(file, 'semalt.com → Referral, A Partner')
    await withService({ flags: { sources: file } }, async running => {
      const send = (referrer: string, network: number): Promise<unknown> =>
        running.hit({ page_url: '/', referrer }, { 'x-forwarded-for': `203.0.${network}.7` })
      await send('https://www.semalt.com/1', 1)
      await send('https://old.semalt.com/1', 2)
      await send('https://trafficbot.info/1', 3)
      await running.settled()
      assert.equal((await rows(running)).rows, ['Referral A Partner 1', 'Referral A Partner 1'])
    })
  })
})

test('a file that is wrong or missing ends the start with exit code 2', async () => {
  await withFolder(async path => {
    const file = join(path, 'sources.txt')
    writeFileSync(file, 'a.example → Serch\n')
    const data = join(path, 'footfall.db')
    for (const [name, reason] of [
      [file, /sources\.txt, line 1: 'Serch' is no channel/],
      [join(path, 'none.txt'), /--sources cannot be read/],
    ] as const) {
      const { status, stderr } = footfall(['serve', '--port', '0', '--data', data, '--sources', name])
      assert.is(status, 2)
      assert.match(stderr, reason)
    }
  })
})

test.run()
