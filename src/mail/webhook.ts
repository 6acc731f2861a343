// Messages by HTTP, to a chat or a program of the operator.
import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Config } from '../config/config.ts'
import type { WebhookEvent } from '../config/kinds.ts'
import { isPrivateAddress, parseAddress } from '../lib/address/list.ts'
import { fetchFailure } from '../lib/errors.ts'
import type { Sleep } from '../lib/sleep.ts'
import type { Clock } from '../lib/time.ts'
import type { Message } from './compose.ts'
import { MailError, safeText } from './error.ts'
import { createOutbox } from './outbox.ts'
import { type About, webhookRequest } from './webhook-formats.ts'

type WebhookConfig = Pick<Config, 'webhook' | 'webhookFormat' | 'webhookEvents' | 'webhookAllowPrivate'>

export type WebhookOptions = {
  config: WebhookConfig
  /** Signs what is sent; null for no signature. */
  secret: string | null
  /** The host of the site, and the address of its dashboard; null if not known. */
  site: string | null
  dashboard: string | null
  clock: Clock
  sleep: Sleep
  /** Called with null when a message was sent, else with the error after the last attempt. */
  onResult: (error: string | null) => void
  /** Milliseconds for an attempt. */
  timeout?: number
  /** Milliseconds before each further attempt. */
  pauses?: readonly number[]
}

export type Webhook = {
  /** Whether such messages are to be sent. */
  takes: (event: WebhookEvent) => boolean
  /**
   * Posts a message. Temporary failures are tried again, three times in all.
   * @throws MailError, whose text has no more of the address than its host
   */
  deliver: (message: Pick<Message, 'subject' | 'text'>, about: About) => Promise<void>
  /** Interrupts what is being sent, and resolves when nothing is. */
  stop: () => Promise<void>
}

const attemptTimeout = 10_000
const usualPauses = [10_000, 60_000]

const refusal = (host: string): MailError =>
  new MailError(
    `${host} is in a private network. If the webhook is meant to be there, allow it with --webhook-allow-private.`,
    true,
  )

/** `parseAddress` has turned those of NAT64 and 6to4 into IPv4, unless that is private. */
const isPrivate = (text: string): boolean => {
  const address = parseAddress(text)
  return address === null || isPrivateAddress(address) || /^(?:64:ff9b:|2002:)/.test(address)
}

/** Connects to public addresses of a name alone, whatever its server says between two questions. */
const publicLookup: LookupFunction = (host, options, done) =>
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, [])
    const shown = addresses.filter(({ address }) => !isPrivate(address))
    const [first] = shown
    if (first === undefined) return done(refusal(host), [])
    if (options.all === true) return done(null, shown)
    done(null, first.address, first.family)
  })

/** Answers that say "later": too slow, too early, too often, and errors of the server. */
const isTemporary = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500

const failureOf = (host: string, status: number): MailError =>
  new MailError(
    status >= 300 && status < 400
      ? `${host} answered with ${status}. Redirects are not followed: set --webhook to the address it leads to.`
      : `${host} answered with ${status}.`,
    !isTemporary(status),
  )

type Post = { url: URL; body: string; headers: Record<string, string>; allowPrivate: boolean; timeout: number }

/** Posts once. Of the answer only the status is read. */
const post = ({ url, body, headers, allowPrivate, timeout }: Post, signal: AbortSignal): Promise<null> =>
  new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    // An address is connected to without a lookup.
    if (!allowPrivate && isIP(host) !== 0 && isPrivate(host)) return reject(refusal(host))
    const timer = AbortSignal.timeout(timeout)
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal: AbortSignal.any([signal, timer]),
      ...(!allowPrivate && { lookup: publicLookup }),
    })
    sent.on('response', answer => {
      const { statusCode = 0 } = answer
      answer.destroy()
      if (statusCode >= 200 && statusCode < 300) resolve(null)
      else reject(failureOf(url.host, statusCode))
    })
    sent.on('error', error => {
      if (signal.aborted) return reject(signal.reason)
      if (timer.aborted) return reject(new MailError(`${url.host} did not answer within ${timeout / 1000} seconds.`))
      reject(
        error instanceof MailError
          ? error
          : new MailError(`${url.host}: ${safeText(error.message === '' ? fetchFailure(error) : error)}`),
      )
    })
    sent.end(body)
  })

/** `t` is the second since 1970 and `v1` the HMAC-SHA256 of `t.body`, in hexadecimal digits. */
const signature = (secret: string, second: number, body: string): string =>
  `t=${second},v1=${createHmac('sha256', secret).update(`${second}.${body}`).digest('hex')}`

export const createWebhook = (options: WebhookOptions): Webhook => {
  const { config, secret, site, dashboard, clock, sleep, onResult, timeout = attemptTimeout } = options
  const { webhook, webhookFormat, webhookEvents, webhookAllowPrivate: allowPrivate } = config
  const outbox = createOutbox({ sleep, onResult, pauses: options.pauses ?? usualPauses })

  return {
    takes: event => webhook !== null && webhookEvents.includes(event),
    deliver: ({ subject, text }, about) => {
      const at = new Date(clock())
      return outbox.send(signal => {
        if (webhook === null) throw new MailError('There is no webhook: --webhook is not set.', true)
        const sent = { about, at: at.toISOString(), site, dashboard, subject, text }
        const { url, body } = webhookRequest(webhookFormat, new URL(webhook), sent)
        const headers = {
          'content-type': 'application/json',
          'user-agent': 'Footfall',
          ...(secret !== null && {
            'footfall-signature': signature(secret, Math.floor(clock() / 1000), body),
          }),
        }
        return post({ url, body, headers, allowPrivate, timeout }, signal)
      })
    },
    stop: outbox.stop,
  }
}
