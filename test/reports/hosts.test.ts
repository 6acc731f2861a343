// Several hosts in one file: how they are distinguished, named, limited and erased.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { firefox, type Running, withService } from '../support/service.ts'

const range = 'from=2026-03-10&to=2026-03-10'
const json = { 'content-type': 'application/json' }

/** Counts a view of a visitor. */
const view = async ({ hit }: Running, visitor: number, page_url: string, more: Record<string, string> = {}) =>
  assert.is((await hit({ page_url, ...more }, { 'x-forwarded-for': `10.0.${visitor}.1` })).status, 204)

const dataOf = async ({ api }: Running, path: string): Promise<any> => {
  const { status, body } = await api(`${path}${path.includes('?') ? '&' : '?'}${range}`)
  assert.is(status, 200, JSON.stringify(body))
  return body.data
}
const hostsOf = async (running: Running): Promise<unknown[]> =>
  (await dataOf(running, '/dimensions/hosts')).map(({ key, visitors, sessions, views, bounces }: any) => [
    key,
    ...[visitors, sessions, views, bounces],
  ])
const viewsOf = async (running: Running, path: string): Promise<Record<string, number>> =>
  Object.fromEntries((await dataOf(running, path)).map(({ page, views }: any) => [page, views]))

test('www., case and port make no difference; addresses are not named, and what is not known is unknown', () =>
  withService({}, async running => {
    await view(running, 1, 'https://www.One.example:8443/a')
    await view(running, 2, 'http://one.example/a')
    await view(running, 3, 'https://two.example./a')
    await view(running, 4, 'http://203.0.113.80/a')
    await view(running, 5, '/a')
    await view(running, 6, 'https://müller.example/ü')
    await running.settled()
    assert.equal(await viewsOf(running, '/pages?host=Müller.example'), { 'müller.example/ü': 1 })
    assert.equal(await viewsOf(running, '/pages?host=ip address'), { 'IP address/a': 1 })
    assert.equal(await viewsOf(running, '/pages?host=ip*,two*'), { 'IP address/a': 1, 'two.example/a': 1 })
    assert.equal(await hostsOf(running), [
      ['one.example', 2, 2, 2, 2],
      [null, 1, 1, 1, 1],
      ['IP address', 1, 1, 1, 1],
      ['two.example', 1, 1, 1, 1],
      ['xn--mller-kva.example', 1, 1, 1, 1],
    ])
    assert.equal(await viewsOf(running, '/pages?host='), { '/a': 1 })
    assert.equal(await viewsOf(running, '/pages?host=!'), {
      'one.example/a': 2,
      'IP address/a': 1,
      'two.example/a': 1,
      'müller.example/ü': 1,
    })
    assert.equal(await viewsOf(running, '/pages?by=path'), { '/a': 5, '/ü': 1 })
  }))

test('a path alone belongs to the page that sends it, else to the first host that is configured', () =>
  withService({ flags: { siteUrl: 'https://www.one.example', allowedHosts: 'two.example' } }, async running => {
    await view(running, 1, '/a')
    const headers = { 'x-forwarded-for': '10.0.2.1', origin: 'https://two.example' }
    assert.is((await running.hit({ page_url: '/b' }, headers)).status, 204)
    assert.is((await running.hit({ page_url: 'https://three.example/' })).status, 400)
    await running.settled()
    assert.equal(await viewsOf(running, '/pages'), { 'one.example/a': 1, 'two.example/b': 1 })
  }))

test('pages have their path as their name until there is a second host', () =>
  withService({}, async running => {
    await view(running, 1, 'https://one.example/a', { title: 'One' })
    await view(running, 2, '/a')
    await running.settled()
    // What came without a host is a part of the only site.
    for (const report of ['/pages', '/pages?by=path']) assert.equal(await viewsOf(running, report), { '/a': 2 })
    assert.equal(await viewsOf(running, '/pages?by=host'), { 'one.example/a': 1, '/a': 1 })
    await view(running, 3, 'https://two.example/a', { title: 'Two' })
    await running.settled()
    const named = await dataOf(running, '/pages')
    assert.equal(
      named.map(({ page, title }: any) => [page, title]),
      [
        ['/a', 'One'],
        ['one.example/a', 'One'],
        ['two.example/a', 'Two'],
      ].map(([page, title]) => [page, page === '/a' ? null : title]),
    )
    const [merged, ...others] = await dataOf(running, '/pages?by=path')
    assert.equal([merged.page, merged.title, merged.views, merged.visitors, others], ['/a', null, 3, 3, []])
    assert.equal(
      (await dataOf(running, '/filters/page?search=two.ex')).map(({ value }: any) => value),
      ['two.example/a'],
    )
    assert.equal(
      (await dataOf(running, '/filters/host')).map(({ value }: any) => value),
      ['one.example', 'two.example'],
    )
    const recent = (await running.api('/realtime')).body.data.recent
    assert.equal(recent.map(({ page }: any) => page).sort(), ['/a', 'one.example/a', 'two.example/a'])
  }))

test('a visit over two hosts: each has its views and the visitor, its start has the session, its end the exit', () =>
  withService({}, async running => {
    await view(running, 1, 'https://one.example/')
    running.clock.now += 60_000
    await view(running, 1, 'https://two.example/cart')
    await running.settled()
    assert.equal(await hostsOf(running), [
      ['one.example', 1, 1, 1, 0],
      ['two.example', 1, 0, 1, 0],
    ])
    const totals = async (host: string) => {
      const { visitors, sessions, views, bounces } = (await dataOf(running, `/summary?host=${host}`)).totals
      return [visitors, sessions, views, bounces]
    }
    assert.equal(await totals('one.example'), [1, 1, 1, 0])
    assert.equal(await totals('two.example'), [1, 0, 1, 0])
    assert.equal(await dataOf(running, '/pages/exit?host=one.example'), [])
    const [exit] = await dataOf(running, '/pages/exit?host=two.example')
    assert.equal([exit.page, exit.sessions], ['two.example/cart', 1])
    assert.equal(await dataOf(running, '/pages/entry?host=two.example'), [])
  }))

test('who is held to a host sees nothing of the others, whatever is asked', () =>
  withService({}, async running => {
    await view(running, 1, 'https://one.example/', { title: 'First' })
    await view(running, 1, 'https://two.example/secret', { title: 'Secret' })
    await view(running, 2, 'https://two.example/secret')
    await running.settled()
    const { body: link } = await running.api('/share-links', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: 'For one', filters: { host: 'www.one.example' } }),
    })
    const asked = [
      ...['/pages?', '/pages/exit?', '/pages?by=path', '/dimensions/host?', '/sources?', '/summary?', '/filters/page?'],
      ...['/pages?host=two.example', '/pages?page=/secret', '/summary?exit_page=/secret', '/pages?page=two.example/*'],
    ]
    const only = ['--scope', 'reports', '--filters', 'host=www.one.example']
    const made = await footfallHere([
      'app-password',
      'create',
      'admin',
      '--name',
      'one',
      ...only,
      '--data',
      running.file,
    ])
    const password = made.stdout.trimEnd().split('\n').at(-1)
    const callers = [{ 'x-footfall-share': link.token }, { authorization: `Basic ${btoa(`admin:${password}`)}` }]
    for (const [path, headers] of asked.flatMap(path => callers.map(caller => [path, caller] as const))) {
      const { status, body } = await running.api(`${path}&${range}`.replace('?&', '?'), { as: 'nobody', headers })
      assert.is(status, 200, path)
      assert.not.match(JSON.stringify(body), /two\.example|ecret/, path)
      if (/secret|two/.test(path) && !path.includes('host='))
        assert.is(JSON.stringify(body.data).match(/"(views|sessions)":[1-9]/), null, path)
    }
  }))

test('of strangers’ hosts a day keeps a hundred, the others are (other)', () =>
  withService({}, async running => {
    for (let host = 0; host < 110; host++) await view(running, host, `https://site-${host}.example/`)
    await running.settled()
    const rows = await dataOf(running, '/dimensions/host?limit=200')
    const named = rows.filter(({ key }: any) => key !== '(other)').length
    assert.is(named, 100)
    const { sessions } = rows.find(({ key }: any) => key === '(other)')
    assert.is(named + sessions, 110)
  }))

test('what the CMS says of a path is said of the page once a host has it', () =>
  withService({}, async running => {
    const push = (body: object) =>
      running
        .api('/content', { method: 'POST', headers: json, body: JSON.stringify(body) })
        .then(({ status }) => status)
    assert.is(await push([{ page: '/tea', title: 'Tea', resource_type: 'post', published_at: '2026-01-02' }]), 200)
    await view(running, 1, 'https://one.example/tea', { title: 'Something else' })
    await running.settled()
    const [page, ...others] = await dataOf(running, '/content')
    assert.equal([page.page, page.title, page.resource_type, page.views, others], ['/tea', 'Tea', 'post', 1, []])
    assert.is(await push({ page: 'https://two.example/tea', title: 'Tea of two' }), 200)
    assert.equal(
      (await dataOf(running, '/content')).map(({ page, title }: any) => [page, title]),
      [
        ['one.example/tea', 'Tea'],
        ['two.example/tea', 'Tea of two'],
      ],
    )
  }))

test('forgetting a host erases its views, texts and name; a page with its host only that page', () =>
  withService({}, async running => {
    const forget = (...args: string[]) => footfallHere(['forget', ...args, '--data', running.file])
    for (const [index, host] of ['one.example', 'two.example', 'three.example'].entries()) {
      await view(running, index, `https://${host}/a`)
      await view(running, index, `https://${host}/b`)
    }
    await running.settled()
    assert.match((await forget('--page', 'two.example/a')).stdout, 'Erased 1 page view, 0 events and 0 visits')
    await running.settled()
    assert.equal(await viewsOf(running, '/pages?by=path'), { '/b': 3, '/a': 2 })
    assert.match(
      (await forget('--page', 'https://www.two.example/b')).stdout,
      'Erased 1 page view, 0 events and 1 visit',
    )
    assert.match((await forget('--host', 'https://nowhere.example')).stdout, 'Nothing is stored about this host.')
    assert.match((await forget('--host', 'WWW.three.example', '--dry-run')).stdout, 'Would erase 2 page views')
    assert.match((await forget('--host', 'WWW.three.example')).stdout, 'Erased 2 page views, 0 events and 1 visit')
    await running.settled()
    assert.equal(await viewsOf(running, '/pages'), { 'one.example/a': 1, 'one.example/b': 1 })
    assert.equal(await hostsOf(running), [['one.example', 1, 1, 2, 0]])
  }))

test('archives and tables hold the hosts; a log names them where it has virtual hosts', () =>
  withFolder(async folder => {
    const file = (name: string): string => join(folder, name)
    const done = async (args: string[]): Promise<string> => {
      const { status, stdout, stderr } = await footfallHere(args)
      assert.is(status, 0, `${args.join(' ')} ${stderr}`)
      return stdout
    }
    const line = (host: string, visitor: number, path: string): string =>
      `${host}10.0.${visitor}.1 - - [10/Mar/2026:12:00:0${visitor} +0000] "GET ${path} HTTP/1.1" 200 10 "-" "${firefox}"\n`
    writeFileSync(
      file('access.log'),
      line('www.one.example:443 ', 1, '/a') + line('two.example ', 2, '/a') + line('', 3, '/a') + line('_ ', 4, '/a'),
    )
    await done(['import', file('access.log'), '--format', 'access-log', '--data', file('a.db')])
    const report = (data: string, name: string): Promise<string> =>
      done(['report', name, '--from', '2026-03-10', '--to', '2026-03-10', '--data', file(data), '--csv'])
    const reports = ['dimensions/host', 'pages', 'pages/entry', 'pages?host=two.example', 'summary?host=one.example']
    assert.match(await report('a.db', 'dimensions/host'), /one\.example[^\n]*\n(?:.*\n)*two\.example/)
    assert.equal(
      (await report('a.db', 'pages'))
        .split('\n')
        .slice(1, -1)
        .map(row => row.split(',')[0]),
      ['/a', 'one.example/a', 'two.example/a'],
    )
    await done(['export', file('all.ndjson'), '--format', 'archive', '--data', file('a.db')])
    await done(['import', file('all.ndjson'), '--format', 'archive', '--data', file('b.db')])
    for (const name of reports) assert.is(await report('b.db', name), await report('a.db', name), name)
    await done(['export', file('views.csv'), '--format', 'csv', '--data', file('b.db')])
    assert.match(await done(['rebuild', '--data', file('b.db')]), /1 day/)
    for (const name of reports) assert.is(await report('b.db', name), await report('a.db', name), `${name}, rebuilt`)
  }))

test.run()
