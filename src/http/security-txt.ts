import { timeText, toSeconds, type Clock } from '../lib/time.ts'
import type { Handler } from './server.ts'
import { sendStatic, staticFile } from './static.ts'

const path = '/.well-known/security.txt'

const day = 86_400
/** RFC 9116 recommends less than a year; the date moves on while the service runs. */
const validDays = 180

const contentAt = (contact: string, now: number): string => {
  const expires = (Math.floor(now / day) + validDays) * day
  return `Contact: ${contact}\nExpires: ${timeText(expires)}\n`
}

/**
 * `GET /.well-known/security.txt` (RFC 9116) at the root of the host. Also below the root path, because a proxy may
 * pass on nothing else.
 */
export const createSecurityTxtHandler = (root: string, contact: string, clock: Clock): Handler => {
  const paths = [path, `${root}${path}`]
  return (request, response) => {
    if (!paths.includes((request.url ?? '').split('?', 1).join(''))) return false
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const text = contentAt(contact, toSeconds(clock()))
    sendStatic(request, response, staticFile(text, 'text/plain; charset=utf-8', { 'cache-control': 'max-age=3600' }))
    return true
  }
}
