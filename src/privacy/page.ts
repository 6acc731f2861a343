import type { Audit } from './live.ts'

const escape = (text: string): string => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)

/** The audit as one page without scripts, to be kept or handed on. */
export const auditPage = ({ score, checks }: Audit, date: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Privacy audit of ${escape(date)}</title>
<style>
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1d1f21; background: #fff }
  table { width: 100%; border-collapse: collapse }
  th, td { padding: .5rem; text-align: left; vertical-align: top; border-bottom: 1px solid #d9d9d4 }
  .fail { color: #a11 } .warning { color: #8a5a00 } .pass { color: #1b6b2f }
</style>
</head>
<body>
<h1>Privacy audit of ${escape(date)}</h1>
<p>Score: ${score} of 100. Every row was measured on the installation.</p>
<table>
<thead><tr><th>Result</th><th>Check</th><th>What was found</th><th>Evidence</th></tr></thead>
<tbody>
${checks.map(({ status, label, detail, evidence }) => `<tr><td class="${status}">${status}</td><td>${escape(label)}</td><td>${escape(detail)}</td><td>${escape(evidence)}</td></tr>`).join('\n')}
</tbody>
</table>
</body>
</html>
`
