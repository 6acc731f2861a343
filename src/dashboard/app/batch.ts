// Requests for figures in one: where the host platform answers for the service, each request is expensive.

type Waiting = { path: string; resolve: (response: Response) => void; reject: (error: unknown) => void }
type Answer = { status: number; headers: Record<string, string>; body: unknown }

/** As many as the service takes. */
const maxRequests = 25

const toResponse = ({ status, headers, body }: Answer): Response =>
  new Response(body === null ? null : JSON.stringify(body), { status, headers })

/** Returns a function that sends what is asked for in the same moment by one call of `post`. */
export const createBatch = (post: (paths: string[]) => Promise<Response>): ((path: string) => Promise<Response>) => {
  let waiting: Waiting[] = []
  const sendAll = async (requests: Waiting[]): Promise<void> => {
    try {
      const response = await post(requests.map(({ path }) => path))
      if (!response.ok) return requests.forEach(({ resolve }) => resolve(response.clone()))
      const { responses } = (await response.json()) as { responses: Answer[] }
      requests.forEach(({ resolve }, index) =>
        resolve(toResponse(responses[index] ?? { status: 502, headers: {}, body: null })),
      )
    } catch (error) {
      for (const { reject } of requests) reject(error)
    }
  }
  const flush = (): void => {
    const all = waiting
    waiting = []
    for (let first = 0; first < all.length; first += maxRequests) void sendAll(all.slice(first, first + maxRequests))
  }
  return path =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(flush)
      waiting.push({ path, resolve, reject })
    })
}
