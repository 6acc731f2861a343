import { type Clock, timeText, toSeconds } from '../lib/time.ts'
import type { Handler } from './server.ts'
import { type StaticFile, serveStatic, staticFile } from './static.ts'

const path = '/.well-known/security.txt'

const day = 86_400
/** RFC 9116 recommends less than a year; the date moves on while the service runs. */
const validDays = 180

const contentAt = (contact: string, now: number): string => {
  const expires = (Math.floor(now / day) + validDays) * day
  return `Contact: ${contact}\nExpires: ${timeText(expires)}\n`
}

const fileAt = (contact: string, now: number): StaticFile =>
  staticFile(contentAt(contact, now), 'text/plain; charset=utf-8', { 'cache-control': 'max-age=3600' })

/**
 * `GET /.well-known/security.txt` (RFC 9116) at the root of the host. Also below the root path, because a proxy may
 * pass on nothing else.
 */
export const securityTxt = (root: string, contact: string, clock: Clock): [path: string, Handler][] =>
  [...new Set([path, `${root}${path}`])].map(one => [one, serveStatic(() => fileAt(contact, toSeconds(clock())))])
