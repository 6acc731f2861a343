// What the figures were taken on, without names: cores, memory, disk, runtime.
import { spawnSync } from 'node:child_process'
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { median } from './statistics.mjs'

const read = path => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The cores this process may use: a container's list need not begin at 0. */
const allowedCores = () => {
  const list = read('/proc/self/status').match(/^Cpus_allowed_list:\s*(\S+)/m)?.[1] ?? ''
  return list
    .split(',')
    .filter(Boolean)
    .flatMap(part => {
      const [first, last = first] = part.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })
}

/** One core for the service and one for the generator, or null with the reason. */
export const chooseCores = () => {
  const [service, generator] = allowedCores()
  if (generator === undefined)
    return {
      cores: null,
      note: 'there is no second core: service and generator share one, so ratios and latencies are worse than they should be',
    }
  const { error, status } = spawnSync('taskset', ['-c', `${service},${generator}`, 'true'])
  if (error !== undefined || status !== 0)
    return {
      cores: null,
      note: 'taskset (util-linux) is missing: nothing is pinned to a core, so ratios are comparable less well',
    }
  return { cores: { service, generator }, note: null }
}

/** A command, held to a core if that is known. */
export const pinned = (core, command) => (core === undefined ? command : ['taskset', '-c', String(core), ...command])

const block = Buffer.alloc(4096, 1)

/**
 * Milliseconds that a 4 KiB append with fdatasync takes in a folder, median of 200: what a durable commit must wait
 * for.
 */
const syncTime = folder => {
  const path = join(folder, 'sync')
  const file = openSync(path, 'w')
  const times = Array.from({ length: 200 }, () => {
    const start = performance.now()
    writeSync(file, block)
    fdatasyncSync(file)
    return performance.now() - start
  })
  closeSync(file)
  rmSync(path)
  return median(times)
}

const quiet = 0.5

/** A sentence for the table if others were using the machine: to be asked for before the first trial. */
export const describeLoad = () => {
  const [minute] = loadavg()
  return minute / cpus().length > quiet
    ? `the machine was in use by others when this began (load average ${minute.toFixed(1)}): trust the ratios, not the figures`
    : null
}

const memoryDisk = 0x01021994

export const describeMachine = folder => {
  const sync = syncTime(folder).toFixed(2)
  const disk =
    statfsSync(folder).type === memoryDisk
      ? `databases in memory (tmpfs): "durable" figures mean nothing here`
      : `4 KiB append + fdatasync ${sync} ms (median)`
  return `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(1)} GiB memory, ${process.platform} ${process.arch}, Node ${process.versions.node}; ${disk}`
}
