import { outgoing, send } from './outbox.ts'
import { randomId } from './random.ts'
import { current } from './view.ts'

/** Sends an event of the current view; `options` may hold a `value` and an `order_id`. */
export const track = (name: string, properties?: unknown, options?: object): void =>
  send(outgoing('event', { ...options, ...current, event_id: randomId(), name, properties }))
