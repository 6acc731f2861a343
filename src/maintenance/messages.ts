import type { Tasks } from './tasks.ts'

/** What the service asks of its thread. */
export type Order = { [Name in keyof Tasks]: { id: number; work: Name; values: Parameters<Tasks[Name]> } }[keyof Tasks]
