export type Goal = {
  ratio?: number
  max?: number
  min?: number
  floor?: number
  at?: { amount: number; of: string }
}
export type Figure = {
  value?: number
  limit?: number
  ratio?: number
  range?: [number, number]
  failed?: string
  amount?: number | undefined
}

export const quantity: (value: number | undefined, unit: string) => string
export const goalText: (goal: Goal | undefined, unit: string) => string
export const verdict: (figure: Figure, goal: Goal | undefined) => 'yes' | 'floor' | 'no' | '–'
export const table: (
  rows: readonly (Figure & { figure: string; unit: string; goal?: Goal; limitIs?: string })[],
) => string
