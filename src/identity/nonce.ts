import { keyedHash, sameBytes, type Key } from './key.ts'

const tickLength = 12 * 3600

const make = (key: Key, session: Buffer, tick: number): string =>
  keyedHash(key, 'login-nonce', `${session.toString('hex')} ${tick}`)
    .toString('hex')
    .slice(0, 20)

const tickOf = (now: number): number => Math.floor(now / tickLength)

/** The word that a page of ours adds to a request and another site cannot know; good for 12 to 24 hours (api.md §2.2). */
export const createNonce = (key: Key, session: Buffer, now: number): string => make(key, session, tickOf(now))

/** Whether the nonce is the session's, of this 12-hour tick or the last. */
export const isNonce = (key: Key, session: Buffer, nonce: string, now: number): boolean =>
  [tickOf(now), tickOf(now) - 1].some(tick => sameBytes(Buffer.from(nonce), Buffer.from(make(key, session, tick))))
