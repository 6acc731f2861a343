import * as v from 'valibot'
import { demoMarkSchema } from '../../database/demo-mark.ts'
import { attributionSchema } from '../../geoip/open.ts'
import { countSchema, timeSchema } from '../../http/schemas.ts'
import { settingsSchema } from '../../settings/settings.ts'

const time = v.nullable(timeSchema)
const text = v.nullable(v.string())
const count = v.nullable(countSchema)

export const findingSchema = v.object({
  id: v.string(),
  severity: v.picklist(['info', 'warning', 'critical']),
  message: v.string(),
  hint: v.string(),
})

const jobSchema = v.object({
  name: v.string(),
  schedule: text,
  last_run: time,
  last_duration_ms: v.nullable(v.number()),
  last_error: text,
  next_run: time,
  stale: v.boolean(),
})

const lastMessage = {
  last_sent_at: time,
  last_error: v.pipe(text, v.description('Why the last message could not be sent; null if it was.')),
  failed_at: time,
}

/** The state of the installation (api.md §7). Unknown values, as of a stopped service or damaged file, are null. */
export const diagnosticsSchema = v.object({
  generated_at: timeSchema,
  version: v.string(),
  status: v.picklist(['ok', 'warning', 'critical']),
  findings: v.array(findingSchema),
  database: v.object({
    path: v.string(),
    size_bytes: countSchema,
    wal_bytes: countSchema,
    schema_version: count,
    integrity: v.string(),
    tables: v.array(v.object({ name: v.string(), rows: count })),
  }),
  geoip: v.object({
    enabled: v.nullable(v.boolean()),
    source: v.picklist(['none', 'country', 'city', 'fallback_city']),
    database_present: v.boolean(),
    build_date: v.nullable(v.string()),
    license_key_present: v.nullable(v.boolean()),
    last_update: time,
    last_error: text,
    next_attempt: v.pipe(time, v.description('When the download of a database is retried.')),
    attribution: v.pipe(
      v.nullable(attributionSchema),
      v.description('Required attribution wherever places are shown.'),
    ),
  }),
  cron: v.object({ jobs: v.array(jobSchema) }),
  collection: v.object({
    last_hit_at: time,
    received_24h: countSchema,
    accepted_24h: countSchema,
    repeated_24h: countSchema,
    refused_24h: v.record(v.string(), countSchema),
    queue_depth: count,
  }),
  shop: v.object({
    configured: v.pipe(
      v.boolean(),
      v.description('Whether an order is stored, or an address or webhook secret of a shop is set.'),
    ),
    orders_stored: count,
    last_webhook_at: time,
    webhooks_rejected: count,
    backfill: text,
    last_error: text,
  }),
  mail: v.object({
    configured: v.pipe(
      v.boolean(),
      v.description('Whether there are addresses, and a server or command for messages.'),
    ),
    ...lastMessage,
  }),
  webhook: v.object({
    configured: v.pipe(v.boolean(), v.description('Whether --webhook is set.')),
    ...lastMessage,
  }),
  environment: v.object({
    node: v.string(),
    platform: v.string(),
    arch: v.string(),
    sqlite: v.string(),
    timezone: v.string(),
    uptime_seconds: count,
    memory_bytes: count,
    disk_free_bytes: countSchema,
    config: v.record(v.string(), v.any()),
  }),
  privacy: v.nullable(settingsSchema),
  demo: v.nullable(v.pipe(demoMarkSchema, v.description('Set if the figures of the file are made up.'))),
})
export type Diagnostics = v.InferOutput<typeof diagnosticsSchema>
