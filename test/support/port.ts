// Ports for programs that have to be told theirs before they start.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below those that systems give away by themselves: nothing else takes such a port before the program does. */
const [first, end] = [20_000, 32_000]

const isFree = (port: number): Promise<boolean> =>
  new Promise(found => {
    const server = createServer()
      .on('error', () => found(false))
      .listen(port, '127.0.0.1', () => server.close(() => found(true)))
  })

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(first, end)
    if (await isFree(port)) return port
  }
}
