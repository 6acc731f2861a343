import { escapeHtml } from '../../lib/escape-html.ts'
import type { Audit, AuditCheck, AuditStatus } from '../result.ts'

/** Most severe first. */
const order: readonly AuditStatus[] = ['fail', 'warning', 'pass']
const words: Readonly<Record<AuditStatus, string>> = { fail: 'Failed', warning: 'Warning', pass: 'Passed' }

const row = ({ status, label, detail, evidence }: AuditCheck): string =>
  `<tr><td class="${status}">${words[status]}</td><td><b>${escapeHtml(label)}.</b> ${escapeHtml(detail)}<br>` +
  `<small>Measured: ${escapeHtml(evidence)}</small></td></tr>`

const summary = (checks: readonly AuditCheck[]): string =>
  order
    .map(status => ({ status, count: checks.filter(check => check.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `<span class="${status}">${count} ${words[status].toLowerCase()}</span>`)
    .join(', ')

/** The audit as an HTML page without scripts that prints on one sheet. */
export const auditPage = (
  { score, checks }: Audit,
  { at, siteUrl, version }: { at: string; siteUrl: string | null; version: string },
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Privacy audit${siteUrl === null ? '' : ` of ${escapeHtml(siteUrl)}`}, ${escapeHtml(at.slice(0, 10))}</title>
<style>
  @page { size: A4; margin: 13mm 15mm }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.45 system-ui, "Liberation Sans", sans-serif;
    color: #1d1f21; background: #fff }
  h1 { margin: 0; font-size: 1.6em; line-height: 1.2 }
  h2 { margin: 1.2em 0 .3em; font-size: 1.1em }
  p { margin: .4em 0 }
  table { width: 100%; border-collapse: collapse }
  td { padding: .4em .6em .4em 0; vertical-align: top; border-top: 1px solid #d9d9d4; overflow-wrap: anywhere }
  td:first-child { width: 6.5em; white-space: nowrap; font-weight: 600 }
  tr { break-inside: avoid }
  small { font-size: .85em; color: #5c5f62 }
  .fail { color: #a11 } .warning { color: #8a5a00 } .pass { color: #1b6b2f }
  @media print {
    body { max-width: none; margin: 0; padding: 0; font-size: 8.1pt; line-height: 1.27 }
    td { padding: .2em .6em .2em 0 }
  }
</style>
</head>
<body>
<h1>Privacy audit of the web analytics${siteUrl === null ? '' : `<br>of ${escapeHtml(siteUrl)}`}</h1>
<p>${escapeHtml(at.slice(0, 10))}, ${escapeHtml(at.slice(11, 16))} UTC. Footfall ${escapeHtml(version)}.
Score ${score} of 100: ${summary(checks)}.</p>
<h2>What is counted, and how</h2>
<p>Page views, events, and how long and how far a page was read; of a visit also country, region and city, browser,
system, device, language, class of the screen's width, and the referring site. Visitors are distinguished by a hash of a random
value, the first part of their address and their browser's name. The random value is new each day and is destroyed at
the end of the day: from then on no visitor can be found again by an address, unless they have agreed to be recognized.
Visits of two days that have rare properties in common may still be seen to be of one visitor, as measured below. Addresses and browser names themselves are never stored, and the data stay on the operator's own server.</p>
<h2>Checks and results</h2>
<table>
<tbody>
${order
  .flatMap(status => checks.filter(check => check.status === status))
  .map(row)
  .join('\n')}
</tbody>
</table>
<p><small>Every row was measured on the installation at the time above, by the command footfall privacy-audit. A warning
counts half in the score. This page states what the software found; it is not legal advice.</small></p>
</body>
</html>
`
