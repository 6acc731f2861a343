// Writes recorded hits of the last 40 hours, each with an id: node id-lines.mjs COUNT
import { once } from 'node:events'

const count = Number(process.argv[2])
const span = 40 * 3600 * 1000
const start = Date.now() - span
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

const line = index =>
  JSON.stringify({
    endpoint: 'hit',
    time: new Date(start + (span * index) / count).toISOString(),
    ip: `198.51.${(index >> 2) & 255}.0`,
    user_agent: userAgent,
    body: { page_url: `https://example.org/page-${index % 500}`, pvid: `view-${String(index).padStart(12, '0')}` },
  })

const linesAtOnce = 1000
for (let index = 0; index < count; index += linesAtOnce) {
  const lines = Array.from({ length: Math.min(linesAtOnce, count - index) }, (_, offset) => line(index + offset))
  if (!process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain')
}
