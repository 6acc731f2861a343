// Throughput and latency of hits, which are committed and synced before their 204.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { startGenerator } from './generator.mjs'
import { authorize, cpuTimeOf, startBare, startProduct } from './processes.mjs'
import { column, interleave } from './rounds.mjs'
import { api, hitPath, shownViews } from './seed.mjs'
import { failureOf, median, paired } from './statistics.mjs'

const sizeOf = path => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Adds the server's CPU usage, as a share of one core, to the result of a load. */
const withServerCpu = async (server, load) => {
  const [from, before] = [performance.now(), cpuTimeOf(server.pid)]
  const result = await load
  return { ...result, serverCpu: (cpuTimeOf(server.pid) - before) / (performance.now() - from) }
}

const busyShare = 0.75
const saturatingConnections = 8

/** Explains why a limit is unreliable: the bare server should have its core to itself and be the bottleneck. */
const limitNote = (limit, connections) => {
  const [generator, server] = [median(column(limit, 'cpu')), median(column(limit, 'serverCpu'))]
  const shares = `bare node:http had ${server.toFixed(2)} of its core, the generator ${generator.toFixed(2)}`
  if (connections >= saturatingConnections && Math.max(generator, server) < busyShare)
    return `others were using the cores (${shares}): take this row again`
  return generator > busyShare && generator > server * 1.1 ? `the generator was the limit (${shares})` : undefined
}

/** A lower bound of the answered hits: with mixed traffic, requests in flight at the end may not have been answered. */
const answeredHits = sent =>
  sent.reduce(
    (sum, { hits, connections, statuses }) =>
      sum + (hits === undefined ? (statuses[204] ?? 0) : Math.max(0, hits - connections)),
    0,
  )

/** Starts generator, bare server and product, runs `use`, and checks that every answered hit was recorded. */
const withService = async (context, use) => {
  const data = join(context.folder, 'ingest.db')
  const [generator, bare, product] = [
    startGenerator(context),
    await startBare(context),
    await startProduct(context, data),
  ]
  const headers = authorize(context, data)
  const sent = []
  const load = (server, mode, options) =>
    withServerCpu(
      server,
      generator.run(mode, { url: server.url, path: hitPath, warm: context.warm, seconds: context.seconds, ...options }),
    )
  const toProduct = async (mode, options) => {
    const result = await load(product, mode, options)
    sent.push({ ...result, connections: options.connections })
    return result
  }
  const measured = await use({ toProduct, toBare: (mode, options) => load(bare, mode, options) })
  const failed = failureOf(sent, 204)
  const views = await shownViews(product.url, headers, answeredHits(sent))
  await product.stop()
  const bytes = {
    value: (sizeOf(data) + sizeOf(`${data}-wal`)) / views,
    note: `${views.toLocaleString('en-US')} views`,
  }
  return Object.fromEntries(
    Object.entries({ ...measured, bytes }).map(([key, value]) => [key, failed === null ? value : { ...value, failed }]),
  )
}

const throughput = load => context =>
  withService(context, async ({ toProduct, toBare }) => {
    const { connections } = load
    const { product, limit } = await interleave(
      context,
      () => toProduct('closed', load),
      () => toBare('closed', load),
    )
    const pair = key => paired(column(product, key), column(limit, key))
    return { rate: { ...pair('rate'), note: limitNote(limit, connections) }, p50: pair('p50'), p99: pair('p99') }
  })

/** Throughput and latencies at a number of connections, and the size of the recorded views. */
export const ingest = connections => throughput({ connections })

/** The same with engagement updates and events of the views. */
export const mixedIngest = connections => throughput({ connections, mixed: api })

/** Latency at half of the maximum rate of the same connections, which is measured first. */
export const halfRate = connections => context =>
  withService(context, async ({ toProduct, toBare }) => {
    const full = []
    for (let round = 0; round < 3; round++) full.push(await toProduct('closed', { connections }))
    const rate = median(column(full, 'rate')) / 2
    const { product, limit } = await interleave(
      context,
      () => toProduct('paced', { connections, rate }),
      () => toBare('paced', { connections, rate }),
    )
    const pair = key => paired(column(product, key), column(limit, key))
    return { p50: pair('p50'), p99: { ...pair('p99'), note: `${Math.round(rate).toLocaleString('en-US')} hits/s` } }
  })
