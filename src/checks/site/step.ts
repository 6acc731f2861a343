/** One step of the way: what was found, and what to do where it is not right. */
export type Step = { ok: boolean; message: string; fix?: string }

/** The steps so far, and what the next ones need; null where the way ends. */
export type Found<Value> = { steps: Step[]; value: Value | null }

export const failed = (message: string, fix: string): Step => ({ ok: false, message, fix })
export const right = (message: string): Step => ({ ok: true, message })
export const ended = (message: string, fix: string): Found<never> => ({ steps: [failed(message, fix)], value: null })
