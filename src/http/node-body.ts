// Bodies read from node:http. They go into one buffer as they arrive: a stream that nobody reads would keep a list, and
// a client that sends single bytes as chunks would make each byte cost some 500.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { createByteBuffer } from '../lib/byte-buffer.ts'

/**
 * Reads a short body. `onBody` gets all of it, or null as soon as it exceeds the limit; the rest is discarded.
 * If the client disconnects, `onBody` is never called: nobody waits for an answer.
 */
export const readNodeBody = (request: IncomingMessage, limit: number, onBody: (body: Buffer | null) => void): void => {
  const body = createByteBuffer(limit)
  let isOver = false
  request.on('data', (chunk: Buffer) => {
    if (isOver) return
    isOver = body.size() + chunk.length > limit
    if (!isOver) return body.add(chunk)
    body.take()
    onBody(null)
  })
  request.on('end', () => {
    if (!isOver) onBody(body.take())
  })
}

/** Bytes of a body that may wait for their reader; then nothing more is read from the socket. */
const maxUnread = 64 * 1024

/**
 * A body of any length as a stream whose unread part is one buffer. What is unread when the answer is sent is discarded.
 * The stream fails when the client disconnects before the end of the body.
 */
export const bufferNodeBody = (request: IncomingMessage, response: ServerResponse): Readable => {
  const { socket } = request
  const unread = createByteBuffer()
  let isWanted = false
  let isAnswered = false
  let isScheduled = false

  // Node resumes a socket whenever a request is read, so a full buffer has to pause it each time.
  const pauseIfFull = (): void => {
    if (unread.size() >= maxUnread) socket.pause()
  }

  const deliver = (): void => {
    isScheduled = false
    if (!isWanted) return
    if (unread.size() > 0) {
      isWanted = false
      const isFull = unread.size() >= maxUnread
      stream.push(unread.take())
      if (isFull) socket.resume()
    } else if (request.readableEnded) stream.push(null)
  }

  const stream = new Readable({
    // The buffer above is the only one.
    highWaterMark: 1,
    read: () => {
      isWanted = true
      deliver()
    },
    destroy: (error, done) => {
      if (!request.complete) request.destroy()
      done(error)
    },
  })
  // Whoever reads is told by the stream; without a reader nobody needs to know.
  stream.on('error', () => {})

  request.on('data', (chunk: Buffer) => {
    if (isAnswered) return
    unread.add(chunk)
    pauseIfFull()
    // Together with what arrives in the same turn of the event loop.
    if (!isScheduled) setImmediate(deliver)
    isScheduled = true
  })
  request.on('end', deliver)
  request.on('close', () => {
    if (!request.complete) stream.destroy(new Error('The client has disconnected.'))
  })
  socket.on('resume', pauseIfFull)
  response.on('close', () => {
    isAnswered = true
    unread.take()
    socket.off('resume', pauseIfFull)
    socket.resume()
  })
  return stream
}
