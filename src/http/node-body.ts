// Request bodies from node:http, appended to one buffer as they arrive: an unread stream would keep a list of chunks,
// and a client that sends one byte per chunk would make each byte cost about 500.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { createByteBuffer } from '../lib/byte-buffer.ts'

/** Maximum bytes buffered for a reader; beyond that, the socket is paused. */
const maxUnread = 64 * 1024

/**
 * A body of any length as a stream whose unread part is one buffer, discarded once the response is sent.
 * The stream fails when the client disconnects before the end of the body.
 */
export const bufferNodeBody = (request: IncomingMessage, response: ServerResponse): Readable => {
  const { socket } = request
  const unread = createByteBuffer()
  let isReadPending = false
  let isResponseClosed = false
  let isScheduled = false

  // Node resumes a socket whenever a request is read, so a full buffer has to pause it each time.
  const pauseIfFull = (): void => {
    if (unread.size() >= maxUnread) socket.pause()
  }

  const deliver = (): void => {
    isScheduled = false
    if (!isReadPending) return
    if (unread.size() > 0) {
      isReadPending = false
      const isFull = unread.size() >= maxUnread
      stream.push(unread.take())
      if (isFull) socket.resume()
    } else if (request.readableEnded) stream.push(null)
  }

  const stream = new Readable({
    // The buffer above is the only one.
    highWaterMark: 1,
    read: () => {
      isReadPending = true
      deliver()
    },
    destroy: (error, done) => {
      if (!request.complete) request.destroy()
      done(error)
    },
  })
  // A reader gets the error from the stream; without a reader it must not crash the process.
  stream.on('error', () => {})

  request.on('data', (chunk: Buffer) => {
    if (isResponseClosed) return
    unread.add(chunk)
    pauseIfFull()
    // Delivered with whatever else arrives in the same turn of the event loop.
    if (!isScheduled) setImmediate(deliver)
    isScheduled = true
  })
  request.on('end', deliver)
  request.on('close', () => {
    if (!request.complete) stream.destroy(new Error('The client has disconnected.'))
  })
  socket.on('resume', pauseIfFull)
  response.on('close', () => {
    isResponseClosed = true
    unread.take()
    socket.off('resume', pauseIfFull)
    socket.resume()
  })
  return stream
}
