type Result = { statuses: Record<number, number>; errors: number; p50?: number | null }

export const percentile: (samples: readonly number[], share: number) => number
export const median: (samples: readonly number[]) => number
export const paired: (
  product: readonly number[],
  limit: readonly number[],
) => {
  value: number
  limit: number
  ratio: number
  range: [number, number]
  rounds: [number, number][]
}
export const addStatuses: (results: readonly Result[]) => Record<number, number>
export const failureOf: (results: readonly Result[], expected: number) => string | null
