// What is said of how the breakdowns of days came about.
import type { Day } from '../../lib/time.ts'

export type Notes = ReturnType<typeof createNotes>

const add = <Key>(counts: Map<Key, number>, key: Key, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

/** @param host the host of pages named by their path alone */
export const createNotes = (host: string) => {
  const unknown = new Map<string, number>()
  const estimated = new Set<string>()
  const refused = new Map<string, Day[]>()
  let clamped = 0
  return {
    host,
    unknown: (breakdown: string, count: number): void => add(unknown, breakdown, count),
    estimated: (breakdown: string, figure: string): void => {
      estimated.add(`${breakdown}.${figure}`)
    },
    refuse: (breakdown: string, day: Day): void => {
      refused.set(breakdown, [...(refused.get(breakdown) ?? []), day])
    },
    clamp: (views: number): void => {
      clamped += views
    },
    all: () => ({ unknown, estimated: [...estimated], refused, clamped }),
  }
}
