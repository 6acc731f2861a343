// The examples of the API reference: every operation has one, its command works, and its answer is what the document says.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { fillDemo } from '../../src/demo/fill.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { documentOf as openApi, withDocuments } from '../../src/http/documents.ts'
import { curlOf, type Example, exampleName, exampleOf } from '../../src/http/openapi.ts'
import { readReference } from '../../src/http/reference/read.ts'
import { createZone, toSeconds } from '../../src/lib/time.ts'
import { adoptZone } from '../../src/rollup/zone.ts'
import { withFolder } from '../support/folder.ts'
import { keepOpen } from '../support/keep-open.ts'
import { later, movingInto, samples } from '../support/moving.ts'
import { needs } from '../support/needs.ts'
import { type AnswerChecker, answerChecker } from '../support/openapi-answers.ts'
import { type Running, withService } from '../support/service.ts'
import { fillShop, shopKey, startShop } from '../support/wc-shop.ts'
import { importSteps, now, type Step, stepsOf, webhookSecret } from './steps.ts'
import { shorten, tidy } from './tidy.ts'

const file = 'data/api-examples.ndjson'
const all = withDocuments(endpoints, '', '0.0.0')
const names = all.map(exampleName)
const hint = `Add a step for it to test/reference/steps.ts, then run: npm run api-reference`

test('every operation of the API has an example, and no other', () => {
  const missing = all.filter(endpoint => exampleOf(endpoint) === undefined).map(exampleName)
  if (process.env.UPDATE !== '1') assert.equal(missing, [], `These have no example. ${hint}`)
  const steps = [...stepsOf(''), ...importSteps].map(({ name }) => name)
  assert.equal(
    names.filter(name => !steps.includes(name)),
    [],
    `These have no step. ${hint}`,
  )
  assert.equal(
    steps.filter(name => !names.includes(name)),
    [],
    'These steps have no operation.',
  )
})

test('every operation has a summary without a full stop, and a unique id', () => {
  for (const endpoint of all) {
    assert.match(endpoint.summary, /^[A-Z].*[^.\s]$/, `${exampleName(endpoint)}: one sentence without a full stop`)
    if (endpoint.description !== undefined)
      assert.match(endpoint.description, /^[A-Z0-9`].*[.)]$/s, exampleName(endpoint))
  }
})

test('every parameter is described', () => {
  const parameters = readReference(openApi(endpoints, '', '0.0.0')).groups.flatMap(({ operations }) =>
    // The index is that of WordPress, to the letter.
    operations
      .filter(({ path }) => path !== '/')
      .flatMap(({ method, path, parameters: own }) => own.map(one => ({ ...one, route: `${method} ${path}` }))),
  )
  assert.equal(
    parameters.filter(({ description }) => description === '').map(({ route, name }) => `${route}: ${name}`),
    [],
    'Give their schemas a v.description.',
  )
})

const documentOf = async (base: string): Promise<any> => (await fetch(`${base}/openapi.json`)).json()

const problemsOf = (check: AnswerChecker, name: string, { path, status, answer }: Example): string[] =>
  // Its output is no JSON.
  name === 'GET /metrics' ? [] : check(name.split(' ')[0] ?? '', `/analytics/v1${path}`, status, answer)

test('recorded answers are what the document says', () =>
  withService({}, async ({ service }) => {
    const check = answerChecker(await documentOf(`${service.url}/analytics/v1`))
    const problems = all.flatMap(endpoint => {
      const example = exampleOf(endpoint)
      return example === undefined ? [] : problemsOf(check, exampleName(endpoint), example)
    })
    if (process.env.UPDATE !== '1') assert.equal(problems, [], 'After a change of an answer run: npm run api-reference')
  }))

const fill = async (path: string): Promise<void> => {
  const zone = createZone('UTC')
  const end = toSeconds(Date.parse(now))
  const { db } = openDatabase(path)
  adoptZone(db, zone, end)
  await fillDemo({
    db,
    zone,
    seed: 1,
    from: 20260201,
    to: zone.dayOf(end),
    end,
    live: true,
    visits: 6000,
    home: 'DE',
    keepQuery: [],
    paidStatuses: [],
    onError: error => {
      throw error
    },
    onGenerate: () => {},
    onRebuild: () => {},
    stopped: () => false,
  })
  db.close()
}

/** A page of the site with the tag of the service, which the check looks at. */
const startSite = async (tag: () => string): Promise<{ url: string; close: () => void }> => {
  const server = createServer((_, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Shop</title><script defer src="${tag()}"></script>`)
  })
  await new Promise<void>(ready => keepOpen(server).listen(0, '127.0.0.1', ready))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

const run = promisify(execFile)

type Reply = { status: number; headers: string; answer: unknown }

/** Runs the command as a shell of a reader would. */
const runCurl = async (command: string, environment: Record<string, string>): Promise<Reply> => {
  const { stdout } = await run('sh', ['-c', command.replace(/^curl /, 'curl -sS -i --max-time 120 ')], {
    env: { PATH: process.env.PATH, ...environment },
    maxBuffer: 2 ** 24,
  })
  const end = stdout.indexOf('\r\n\r\n')
  const headers = stdout.slice(0, end)
  const text = stdout.slice(end + 4)
  const isJson = /^content-type: application\/json/im.test(headers)
  return {
    status: Number(headers.split(' ')[1]),
    headers,
    answer: text === '' ? undefined : isJson ? JSON.parse(text) : text,
  }
}

const cookiesOf = (headers: string): string =>
  [...headers.matchAll(/^set-cookie: ([^;\r]*)/gim)].map(([, cookie]) => cookie).join('; ')

/** Runs the steps, and returns what was sent and answered by the name of the operation. */
const runSteps = async (running: Running, steps: readonly Step[]): Promise<Map<string, Example>> => {
  const base = `${running.service.url}/analytics/v1`
  const check = answerChecker(await documentOf(base))
  const environment: Record<string, string> = {
    API: base,
    AUTH: atob(running.administrator.replace('Basic ', '')),
  }
  const found = new Map<string, unknown>()
  const recorded = new Map<string, Example>()
  for (const { name, path = name.split(' ')[1] ?? '', as, headers, body, bodyOf } of steps) {
    const answerOf = (earlier: string): any => found.get(earlier)
    const sent = bodyOf === undefined ? body : bodyOf(answerOf)
    const request = {
      path: typeof path === 'string' ? path : path(answerOf),
      ...(as !== undefined && { as }),
      ...(headers !== undefined && { headers }),
      ...(sent !== undefined && { body: sent }),
    }
    const method = all.find(endpoint => exampleName(endpoint) === name)?.method ?? 'GET'
    const reply = await runCurl(curlOf(method, { ...request, status: 0 }), environment)
    const { status, answer } = reply
    assert.ok(status >= 200 && status < 300, `${name}: ${status} ${JSON.stringify(answer)}`)
    const example = { ...request, status, ...(answer !== undefined && { answer }) }
    assert.equal(problemsOf(check, name, example), [], name)
    found.set(name, answer)
    if (name === 'POST /session')
      Object.assign(environment, { COOKIE: cookiesOf(reply.headers), NONCE: (answer as any).nonce })
    if (!recorded.has(name))
      recorded.set(name, { ...example, ...(answer !== undefined && { answer: shorten(answer) }) })
  }
  return recorded
}

const ofDemo = async (folder: string): Promise<Map<string, Example>> => {
  const path = join(folder, 'footfall.db')
  await fill(path)
  const shop = await startShop()
  fillShop(shop, 3)
  let tag = ''
  const site = await startSite(() => tag)
  const flags = {
    siteUrl: site.url,
    woocommerceUrl: shop.url,
    geoipFallbackUrl: 'http://127.0.0.1:9',
    mailCommand: 'cat > /dev/null',
    mailTo: 'owner@example.org',
  }
  let recorded = new Map<string, Example>()
  try {
    await withService({ file: path, start: now, webhookSecret, shopKey, flags }, async running => {
      tag = `${running.service.url}/tracker.js`
      recorded = tidy(await runSteps(running, stepsOf(site.url)), [
        [running.service.url, 'http://127.0.0.1:8787'],
        [site.url.slice(0, -1), 'https://alder-and-clay.example'],
        [new URL(site.url).host, 'alder-and-clay.example'],
        [shop.url, 'https://alder-and-clay.example'],
        [folder, '/var/lib/footfall'],
        ['admin (test 0)', 'admin (reports)'],
      ])
    })
  } finally {
    site.close()
    await shop.close()
  }
  return recorded
}

const ofImport = async (folder: string): Promise<Map<string, Example>> => {
  const moving = movingInto(folder)
  await moving.take(join(samples, 'umami'), '--from', '2026-03-01')
  let recorded = new Map<string, Example>()
  await withService({ file: moving.data, start: later }, async running => {
    recorded = await runSteps(running, importSteps)
  })
  return tidy(recorded, [])
}

needs('curl')('every command of the API reference works', () =>
  withFolder(async folder => {
    const recorded = new Map([...(await ofDemo(folder)), ...(await ofImport(folder))])
    const lines = names.flatMap(name => (recorded.has(name) ? [`${JSON.stringify([name, recorded.get(name)])}\n`] : []))
    if (process.env.UPDATE === '1') writeFileSync(file, lines.join(''))
    assert.is(recorded.size, names.length)
  }),
)

test.run()
