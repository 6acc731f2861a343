import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { pageHeaders } from '../page-headers.ts'
import type { Handler } from '../server.ts'
import { type StaticFile, serveStatic, staticFile } from '../static.ts'
import type { Field } from './fields.ts'
import introduction from './introduction.txt'
import frame from './page.html'
import { type Group, type Operation, type Reference, readReference } from './read.ts'

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)

/** Text with `code`. */
const inline = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const slug = (text: string): string => text.toLowerCase().replaceAll(/\W+/g, '-')

const block = (text: string): string => {
  if (text.startsWith('## ')) return `<h3 id="${slug(text.slice(3))}">${inline(text.slice(3))}</h3>`
  if (text.startsWith('```')) return `<pre>${escapeHtml(text.replaceAll('```', '').trim())}</pre>`
  return `<p>${inline(text)}</p>`
}

/** The introduction has headings, paragraphs and blocks of code, with an empty line between. */
const prose = (text: string): string => text.trim().split(/\n\n+/).map(block).join('\n')

const row = ({ name, type, required, description }: Field, id = ''): string =>
  `<tr${id === '' ? '' : ` id="${id}"`}><th scope="row"><code>${escapeHtml(name).replaceAll('.', '.<wbr>')}</code>` +
  `${required ? '<small>required</small>' : ''}</th><td><span>${inline(type)}</span> ${inline(description)}</td></tr>`

const table = (rows: readonly string[]): string => `<table><tbody>${rows.join('')}</tbody></table>`

/** Long lists are folded; the browser's search opens them. */
const fold = (title: string, fields: readonly Field[], open: boolean): string =>
  fields.length === 0
    ? ''
    : `<details${open ? ' open' : ''}><summary>${title} <small>${fields.length}</small></summary>` +
      `${table(fields.map(field => row({ ...field, required: title !== 'Answer' && field.required })))}</details>`

const also = ({ common, parameters }: Operation): string =>
  common.length === 0
    ? ''
    : `<p class="also">${parameters.length === 0 ? 'Takes' : 'Also takes'} ${common.map(({ key, name }) => `<a href="#parameter-${key}"><code>${name}</code></a>`).join(' ')}</p>`

const errorLines = (errors: Operation['errors']): string =>
  errors.map(([status, codes]) => `${status} ${codes.map(code => `<code>${code}</code>`).join(', ')}`).join('; ')

const sample = ({ curl, answer, status }: Operation): string =>
  `<div class="sample"><pre>${escapeHtml(curl)}</pre>` +
  `<p>${status} ${STATUS_CODES[status] ?? ''}</p>${answer === '' ? '' : `<pre>${escapeHtml(answer)}</pre>`}</div>`

const shownOpen = 12

const article = (operation: Operation): string => {
  const { id, method, path, summary, description, access, parameters, body, fields, errors } = operation
  return `<article id="${id}"><div>
<h3><a href="#${id}">${escapeHtml(summary)}</a></h3>
<p class="route"><b class="${method.toLowerCase()}">${method}</b> <code>${escapeHtml(path).replaceAll('/', '<wbr>/')}</code></p>
${description === '' ? '' : `<p>${inline(description)}</p>`}
<p class="access">${inline(access)}</p>
${fold('Parameters', parameters, parameters.length <= shownOpen)}
${also(operation)}
${fold('Body', body, body.length <= shownOpen)}
${fold('Answer', fields, false)}
${errors.length === 0 ? '' : `<p class="also">Errors: ${errorLines(errors)}</p>`}
</div>${sample(operation)}</article>`
}

const section = ({ name, description, operations }: Group): string =>
  `<section id="${slug(name)}"><h2>${escapeHtml(name)}</h2><p>${inline(description)}</p>
${operations.map(article).join('\n')}</section>`

const navigation = ({ groups }: Reference): string =>
  groups
    .map(
      ({ name, operations }) =>
        `<details><summary>${escapeHtml(name)}</summary><ul>${operations
          .map(
            ({ id, summary, method }) =>
              `<li><a href="#${id}">${escapeHtml(summary)}</a> <small>${method}</small></li>`,
          )
          .join('')}</ul></details>`,
    )
    .join('\n')

const shared = ({ parameters, meta, errors }: Reference): string =>
  `<section id="parameters"><h2>Parameters of many operations</h2>
${table(parameters.map(({ key, ...field }) => row(field, `parameter-${key}`)))}</section>
<section id="meta"><h2>What meta holds</h2>${table(meta.map(field => row({ ...field, required: false })))}</section>
<section id="common-errors"><h2>Errors of most operations</h2>
${table(errors.map(([status, codes]) => `<tr><th scope="row">${status}</th><td>${codes.map(code => `<code>${code}</code>`).join(', ')}</td></tr>`))}</section>`

const hashOf = (html: string): string => {
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? []
  return createHash('sha256').update(style).digest('base64')
}

/** One style of its own, and nothing else: no script, no request. */
const referenceHeaders = {
  'cache-control': 'no-cache',
  ...pageHeaders(["default-src 'none'", `style-src 'sha256-${hashOf(frame)}'`, 'img-src data:', "form-action 'none'"]),
}

/** The API reference as a page without scripts. */
const referencePage = (reference: Reference): string => {
  const parts: Readonly<Record<string, string>> = {
    version: escapeHtml(reference.version),
    navigation: navigation(reference),
    introduction: prose(introduction),
    groups: reference.groups.map(section).join('\n'),
    shared: shared(reference),
  }
  return frame.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '')
}

/** Serves the API reference. It is large and rarely requested, hence made on the first request. */
export const createReferenceHandler = (document: () => unknown): Handler => {
  let page: StaticFile | null = null
  return serveStatic(
    () => (page ??= staticFile(referencePage(readReference(document())), 'text/html; charset=utf-8', referenceHeaders)),
  )
}
