import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import { connect, type Server, type Socket } from 'node:net'

const isSocket = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true

/** Whether a program takes connections at the path. */
const isTaken = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/**
 * Listens at a Unix socket, for programs of this machine: whoever may write to its folder decides who listens there.
 * Every user may connect, as to a port. One that a killed service has left is replaced. Rejects with the system's error.
 */
export const listenAtSocket = async (server: Server, path: string): Promise<void> => {
  // Such connections have no address: they are of this machine, as those to a port of 127.0.0.1.
  server.prependListener('connection', (socket: Socket) =>
    Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' }),
  )
  if (isSocket(path) && !(await isTaken(path))) unlinkSync(path)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
  chmodSync(path, 0o666)
}
