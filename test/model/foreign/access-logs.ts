// Access logs as servers write them.
import { localTime } from './file.ts'

export type Request = {
  at: number
  ip: string
  agent: string
  method: 'GET' | 'POST' | 'HEAD'
  status: number
  /** Of a page, or of something else. */
  path: string
  type: string
  referrer: string
  dnt: boolean
  gpc: boolean
}

export type LogForm = {
  title: string
  /** Whether a request is in it at all. */
  has: (request: Request) => boolean
  /** Whether it has the type of an answer, DNT and GPC. */
  isRich: boolean
  line: (request: Request, index: number) => string
}

export const host = 'a.example'

/** Quotes, backslashes and what is no ASCII, as nginx and Apache write them. */
const escaped = (text: string): string =>
  [...Buffer.from(text)]
    .map(byte =>
      byte === 0x22 || byte === 0x5c || byte < 0x20 || byte > 0x7e
        ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('')

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `29/Mar/2026:06:25:41 +0530`, whatever the zone of the site. */
const stamp = (at: number, index: number): string => {
  const [zone, offset] = (
    [
      ['UTC', '+0000'],
      ['Asia/Kolkata', '+0530'],
      ['America/Phoenix', '-0700'],
    ] as const
  )[index % 3] ?? ['UTC', '+0000']
  const [date = '', time = ''] = localTime(at, zone).split(' ')
  const [year, month, day] = date.split('-')
  return `${day}/${months[Number(month) - 1]}/${year}:${time} ${offset}`
}

const combined =
  (before: string): LogForm['line'] =>
  ({ at, ip, method, path, status, referrer, agent }, index) =>
    `${before}${ip} - - [${stamp(at, index)}] "${method} ${escaped(path)} HTTP/1.1" ${status} 1234 "${referrer === '' ? '-' : escaped(referrer)}" "${escaped(agent)}"`

/** In all units that are found. */
const moments = (at: number, index: number): string | number =>
  [
    at + 0.25,
    at * 1000 + 250,
    at * 1e9,
    new Date(at * 1000).toISOString(),
    new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', '/'),
  ][index % 5] ?? at

export const logForms: readonly LogForm[] = [
  { title: 'combined', has: () => true, isRich: false, line: combined('') },
  { title: 'combined with hosts', has: () => true, isRich: false, line: combined(`${host}:443 `) },
  {
    title: 'Caddy',
    has: () => true,
    isRich: true,
    line: ({ at, ip, agent, method, status, path, type, referrer, dnt, gpc }, index) =>
      JSON.stringify({
        ts: moments(at, index),
        request: {
          // Behind a proxy the client is not the one who connects.
          remote_ip: index % 2 === 0 ? '198.51.100.1' : ip,
          ...(index % 2 === 0 && { client_ip: ip }),
          method,
          host,
          uri: path,
          headers: {
            'User-Agent': [agent],
            ...(referrer !== '' && { Referer: [referrer] }),
            ...(dnt && { Dnt: ['1'] }),
            ...(gpc && { 'Sec-Gpc': ['1'] }),
          },
        },
        status,
        resp_headers: { 'Content-Type': [type] },
      }),
  },
  {
    title: 'nginx JSON',
    // It does not say the method.
    has: ({ method }) => method === 'GET',
    isRich: false,
    line: ({ at, ip, agent, status, path, referrer }, index) =>
      `{"ip": "${ip}", "host": "${host}", "path": "${escaped(path)}", "status": "${status}", "referrer": "${escaped(referrer)}", "user_agent": "${escaped(agent)}", "date": "${localTime(at, index % 2 === 0 ? 'UTC' : 'Asia/Kolkata').replace(' ', 'T')}${index % 2 === 0 ? '+00:00' : '+0530'}"}`,
  },
]
