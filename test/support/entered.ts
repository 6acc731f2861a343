// Which files of src some work enters on the main thread: those with a function that V8 saw called.
import { readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { findSourceMap } from 'node:module'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** The position of each offset of a text, from 0. */
const positionsIn = (text: string): ((offset: number) => [line: number, column: number]) => {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return offset => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return [low, offset - (starts[low] ?? 0)]
  }
}

/** Where the tests run from, by test/support/bundle.mjs; modules of packages have maps of their own. */
const bundles = `${sep}dist${sep}test-`

/** The files, by path from the root of the project, with how many of their functions were called. */
export type Entered = Map<string, number>

const enteredIn = (scripts: readonly Profiler.ScriptCoverage[]): Entered => {
  const entered: Entered = new Map()
  for (const { url, functions } of scripts) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : ''
    const map = path.includes(bundles) ? findSourceMap(path) : undefined
    if (map === undefined) continue
    const positionOf = positionsIn(readFileSync(path, 'utf8'))
    for (const { ranges } of functions) {
      const [{ startOffset, count } = { startOffset: 0, count: 0 }] = ranges
      const entry = count === 0 ? {} : map.findEntry(...positionOf(startOffset))
      const file = 'originalSource' in entry ? String(entry.originalSource).split(`${sep}src${sep}`)[1] : undefined
      if (file === undefined) continue
      const name = `src/${file.replaceAll(sep, '/')}`
      entered.set(name, (entered.get(name) ?? 0) + 1)
    }
  }
  return entered
}

/** Calls `then` before the first message to a worker thread. */
const beforeWorker = (then: () => void): (() => void) => {
  const { postMessage } = Worker.prototype
  const restore = (): void => {
    Worker.prototype.postMessage = postMessage
  }
  Worker.prototype.postMessage = function (this: Worker, ...message: Parameters<typeof postMessage>) {
    restore()
    then()
    postMessage.apply(this, message)
  }
  return restore
}

let measuring: Promise<unknown> | null = null

/** Makes timers that are set from now on wait while files are counted, unless what is counted sets them itself. */
export const holdTimers = (): void => {
  const set = globalThis.setTimeout
  const held = (callback: (...args: unknown[]) => void, delay?: number, ...args: unknown[]): NodeJS.Timeout => {
    const setBy = measuring
    return set(() => {
      if (measuring === null || measuring === setBy) callback(...args)
      else void measuring.finally(() => callback(...args))
    }, delay)
  }
  globalThis.setTimeout = Object.assign(held, set)
}

type Files = { all: Entered; before: Entered }

const countOnce = async (work: () => Promise<unknown>): Promise<Files> => {
  const session = new Session()
  session.connect()
  const post = (method: string, params = {}): void => session.post(method, params)
  /** Since the last time. */
  const take = (): Profiler.ScriptCoverage[] => {
    const taken: Profiler.ScriptCoverage[] = []
    // A session of the own thread answers at once.
    session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error !== null) throw error
      taken.push(...answer.result)
    })
    return taken
  }
  let first: Profiler.ScriptCoverage[] | null = null
  const restore = beforeWorker(() => {
    first = take()
  })
  try {
    post('Profiler.enable')
    post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    // What was called before the start is counted as well.
    take()
    await work()
    const rest = take()
    const before = enteredIn(first ?? rest)
    const all = new Map(before)
    for (const [file, functions] of first === null ? [] : enteredIn(rest))
      all.set(file, Math.max(functions, all.get(file) ?? 0))
    return { all, before }
  } finally {
    restore()
    post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}

const enteredOnce = async (work: () => Promise<unknown>): Promise<Files> => {
  const counted = Promise.withResolvers<void>()
  measuring = counted.promise
  try {
    return await countOnce(work)
  } finally {
    measuring = null
    counted.resolve()
  }
}

const inBoth = (one: Entered, other: Entered): Entered => new Map([...one].filter(([file]) => other.has(file)))

/** What other threads reported meanwhile is not in each run. */
const runs = 3

/**
 * What the work enters on the main thread every time: in all, and before it first writes to a worker (all of it if it
 * never does).
 */
export const filesEntered = async (work: () => Promise<unknown>): Promise<Files> => {
  let files = await enteredOnce(work)
  for (let run = 1; run < runs; run++) {
    const { all, before } = await enteredOnce(work)
    files = { all: inBoth(files.all, all), before: inBoth(files.before, before) }
  }
  return files
}
