import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { countSchema } from '../http/schemas.ts'
import { writtenCurrency } from '../lib/money-text.ts'
import { toSeconds } from '../lib/time.ts'
import type { UpsertResult } from '../shop/restore.ts'
import { isSignature, isSigned } from '../shop/signature.ts'
import type { Context } from './context.ts'

const flag = v.optional(v.nullable(v.boolean()), null)

export const woocommerceState = endpoint({
  method: 'POST',
  path: '/woocommerce/state',
  can: 'manage_options',
  scopes: ['push'],
  tag: 'Revenue',
  summary: "Store the shop's version and settings",
  errors: { 409: ['backfill_of_service'] },
  description:
    'For a shop that pushes its orders; /revenue/wc-status shows them. What is left out counts as unknown, but a known ' +
    'currency stays. `backfill` is the progress of an import that the shop runs itself.',
  body: v.object({
    woocommerce_version: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
    currency: v.optional(v.nullable(v.pipe(v.string(), v.regex(writtenCurrency, 'Use the code, such as EUR.'))), null),
    hpos_enabled: flag,
    attribution_enabled: flag,
    backfill: v.optional(
      v.object({
        state: v.picklist(['running', 'done', 'failed', 'cancelled']),
        total: v.optional(v.nullable(countSchema), null),
        processed: v.optional(countSchema, 0),
        refunds: v.optional(countSchema, 0),
        last_error: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(300))), null),
      }),
    ),
  }),
  output: null,
  handle: ({ shop }: Context, { body: { backfill, ...info } }) => {
    // Two imports would count each other's orders.
    if (backfill !== undefined && shop.jobs.missing === null)
      throw new ApiError(409, 'backfill_of_service', "The service imports this shop's orders itself.")
    shop.saveInfo(info)
    if (backfill !== undefined) shop.saveBackfill(backfill)
    return { data: null }
  },
})

const notConfigured = (): ApiError =>
  new ApiError(
    409,
    'webhook_not_configured',
    'No webhook secret is set. Set FOOTFALL_WOOCOMMERCE_WEBHOOK_SECRET to the secret of the webhook, then ' +
      'restart the service.',
  )
const wrongSignature = (): ApiError =>
  new ApiError(401, 'webhook_signature_invalid', 'The webhook signature is missing or invalid.')

/** Maximum bytes of a ping. */
const maxPing = 100

/** WooCommerce sends one unsigned ping when a webhook is created. */
const mayBePing = (headers: Headers): boolean => Number(headers.get('content-length') ?? Infinity) <= maxPing

const isPing = (text: string): boolean => /^webhook_id=\d+$/.test(text.trim())

const signatureOf = (headers: Headers): string | null => headers.get('x-wc-webhook-signature')

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const woocommerceWebhook = endpoint({
  method: 'POST',
  path: '/woocommerce/webhook',
  can: 'public',
  tag: 'Revenue',
  summary: 'Receive an order from a WooCommerce webhook',
  description:
    'The X-WC-Webhook-Signature header is the base64 HMAC-SHA256 of the body. The body decides, not the topic. ' +
    'Without the header only the ping of a new webhook is accepted: a form of at most 100 bytes with webhook_id. ' +
    'A signed body that cannot be used is answered with 200 as well, because the shop disables a webhook after ' +
    'a few failures.',
  bodyLimit: 2 * 1024 * 1024,
  bodiesAtOnce: 4,
  rawBody: true,
  output: v.object({ result: v.picklist(['stored', 'unchanged', 'stale', 'invalid', 'ping']) }),
  errors: {
    401: ['webhook_signature_invalid'],
    408: ['rest_request_timeout'],
    409: ['webhook_not_configured'],
    429: ['rest_too_many_requests'],
    503: ['storage_unavailable'],
  },
  checkHeaders: ({ shop }, headers) => {
    if (shop.webhookSecret === null) throw notConfigured()
    const header = signatureOf(headers)
    if (header === null ? mayBePing(headers) : isSignature(header)) return
    shop.deliveries.rejected()
    throw wrongSignature()
  },
  handle: ({ shop, clock }: Context, { bytes, request }): { data: { result: UpsertResult['result'] | 'ping' } } => {
    if (shop.webhookSecret === null) throw notConfigured()
    const header = signatureOf(request.headers)
    const text = new TextDecoder().decode(bytes)
    if (header === null && isPing(text)) return { data: { result: 'ping' } }
    if (header === null || !isSigned(bytes, header, shop.webhookSecret)) {
      shop.deliveries.rejected()
      throw wrongSignature()
    }
    shop.deliveries.received(toSeconds(clock()))
    const { result } = shop.store.upsert(parse(text))
    if (result === 'invalid') shop.deliveries.rejected()
    return { data: { result } }
  },
})
