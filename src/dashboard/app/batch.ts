// Requests for figures in one: where the host platform answers for the service, each request is expensive.

type Waiting = { path: string; resolve: (response: Response) => void; reject: (error: unknown) => void }
type Answer = { status: number; headers: Record<string, string>; body: unknown }

/** As many as the service takes, in one batch and of batches at a time. */
const [maxRequests, maxBatches] = [25, 2]
/** Milliseconds until another try when the service runs as many batches as it can, and the number of tries. */
const [pause, maxTries] = [1000, 20]

const toResponse = ({ status, headers, body }: Answer): Response =>
  new Response(body === null ? null : JSON.stringify(body), { status, headers })

/**
 * Returns a function that sends what is asked for in the same moment by one call of `post`. While as many batches
 * run as the service takes, what is asked for goes into the next.
 */
export const createBatch = (post: (paths: string[]) => Promise<Response>): ((path: string) => Promise<Response>) => {
  let waiting: Waiting[] = []
  let running = 0

  const postUntilTaken = async (paths: string[]): Promise<Response> => {
    for (let tries = 1; ; tries++) {
      const response = await post(paths)
      if (response.status !== 429 || tries === maxTries) return response
      await new Promise(resolve => setTimeout(resolve, pause))
    }
  }

  /** Returns the requests that did not fit into the answer: they are sent again, but not one that fits into none. */
  const sendAll = async (requests: Waiting[]): Promise<Waiting[]> => {
    try {
      const response = await postUntilTaken(requests.map(({ path }) => path))
      if (!response.ok) {
        for (const { resolve } of requests) resolve(response.clone())
        return []
      }
      const { responses } = (await response.json()) as { responses: Answer[] }
      return requests.filter(({ resolve }, index) => {
        const answer = responses[index] ?? { status: 502, headers: {}, body: null }
        if (answer.status === 413 && index > 0) return true
        resolve(toResponse(answer))
        return false
      })
    } catch (error) {
      for (const { reject } of requests) reject(error)
      return []
    }
  }

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const requests = waiting.splice(0, maxRequests)
      waiting = [...(await sendAll(requests)), ...waiting]
    }
    running -= 1
  }

  return path =>
    new Promise((resolve, reject) => {
      waiting.push({ path, resolve, reject })
      if (running === maxBatches) return
      running += 1
      setTimeout(() => void flush())
    })
}
