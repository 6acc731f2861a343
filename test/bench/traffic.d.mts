export const createRandom: (seed: number) => () => number
export const createPicker: (weights: readonly number[], random: () => number) => () => number
export const createHits: (options: {
  host: string
  path: string
  seed: number
  ids: number
  age?: number
}) => () => string
export const createMixed: (options: {
  host: string
  base: string
  seed: number
  ids: number
}) => (() => string) & { hits: () => number }
export const createRequests: (options: {
  host: string
  paths: readonly string[]
  headers?: Record<string, string>
  body?: string
}) => () => string
