import type { Works } from './works.ts'

/** What the service asks of its thread. */
export type Order = { [Name in keyof Works]: { id: number; work: Name; values: Parameters<Works[Name]> } }[keyof Works]
