// A stop under load: busy connections end between two of their requests, and no request is cut off.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { closeServer, createHttpServer, listen } from '../../src/http/server.ts'
import { within } from '../support/wait.ts'

const connections = 12

/** Sends requests one after the other until the server is gone. */
const keepAsking = async (url: string, agent: Agent): Promise<void> => {
  for (;;) {
    const sent = request(url, { agent })
    sent.end()
    try {
      const [response] = await once(sent, 'response')
      await once(response.resume(), 'end')
    } catch {
      return
    }
  }
}

test('busy kept-alive connections do not hold a stop up, and what is asked by then is answered', async () => {
  const requests = { begun: 0, answered: 0 }
  let underWay = (): void => {}
  const isBusy = new Promise<void>(resolve => {
    underWay = resolve
  })
  const server = createHttpServer([
    (_, response) => {
      requests.begun += 1
      if (requests.begun > 100) underWay()
      response.on('finish', () => {
        requests.answered += 1
      })
      setImmediate(() => response.writeHead(204).end())
      return true
    },
  ])
  let forced = 0
  const closeAll = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    forced += 1
    closeAll()
  }
  const url = await listen(server, '127.0.0.1', 0)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const asking = Array.from({ length: connections }, () => keepAsking(url, agent))
  await within('requests', isBusy)
  await within('the stop', closeServer(server))
  await within('the clients', Promise.all(asking))
  agent.destroy()
  assert.is(forced, 0)
  assert.is(requests.answered, requests.begun)
})

test.run()
