// Hits, events and engagement, as the tracker sends them.
import { patience } from './wait.ts'

/** Sends a record again where the file is locked for longer than it waits, as on a busy machine. */
export const sendRecord = async (url: string, init: RequestInit): Promise<Response> => {
  for (const end = Date.now() + patience * 1000; ; ) {
    const answer = await fetch(url, init)
    if (answer.status !== 503 || Date.now() > end) return answer
    await answer.arrayBuffer()
  }
}
