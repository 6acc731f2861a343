// Makes docs/api.md and the pages of docs/api from the OpenAPI document.
import type { Field } from '../../src/http/reference/fields.ts'
import introduction from '../../src/http/reference/introduction.txt'
import type { Group, Operation, Reference } from '../../src/http/reference/read.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0
    ? []
    : [...[heads, heads.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`), '']

const rows = (fields: readonly Field[]): string[][] =>
  fields.map(({ name, type, required, description }) => [
    `\`${name}\`${required ? ' (required)' : ''}`,
    type,
    description,
  ])

const meanings = (what: string, fields: readonly Field[]): string[] => table([what, 'Type', 'Meaning'], rows(fields))

/** The example shows all fields; here are those that need a word. */
const folded = (fields: readonly Field[]): string[] =>
  fields.length === 0
    ? []
    : [
        '<details><summary>Fields of the answer</summary>',
        '',
        ...meanings(
          'Field',
          fields.map(field => ({ ...field, required: false })),
        ),
        '</details>',
        '',
      ]

const also = ({ common, parameters }: Operation): string[] =>
  common.length === 0
    ? []
    : [
        `${parameters.length === 0 ? 'Takes' : 'Also takes'} ${common.map(({ name }) => `\`${name}\``).join(', ')}: [what they mean](../api.md#parameters-of-many-operations).`,
        '',
      ]

const errorText = (errors: Operation['errors']): string =>
  errors.map(([status, codes]) => `${status} ${codes.map(code => `\`${code}\``).join(', ')}`).join('; ')

const operation = (one: Operation): string[] => [
  `## ${one.summary}`,
  '',
  `**\`${one.method} ${one.path}\`** ${one.access}`,
  '',
  ...(one.description === '' ? [] : [one.description, '']),
  ...meanings('Parameter', one.parameters),
  ...also(one),
  ...meanings('Body', one.body),
  ...(one.errors.length === 0 ? [] : [`Errors: ${errorText(one.errors)}.`, '']),
  '```sh',
  one.curl,
  '```',
  '',
  ...(one.answer === '' ? [`Answer: ${one.status}, without a body.`, ''] : []),
  ...(one.answer === '' ? [] : [`Answer: ${one.status}`, '', '```json', one.answer, '```', '']),
  ...folded(one.fields.filter(({ description }) => description !== '')),
]

const slug = (text: string): string => text.toLowerCase().replaceAll(' ', '-')

const linked = (text: string): string => text.replaceAll(/`docs\/([\w-]+\.md)`/g, '[$1]($1)')

const made = '<!-- Made from the OpenAPI document by npm run api-reference. -->'
const written = (lines: readonly string[]): string => lines.join('\n').trimEnd().concat('\n')
const fileOf = (name: string): string => `api/${slug(name)}.md`

/** The operations of a tag, a page of their own. */
const group = ({ name, description, operations }: Group): string =>
  written([
    `# ${name}`,
    '',
    made,
    '',
    `${description} How to ask, and what all operations have in common: [API reference](../api.md).`,
    '',
    ...operations.flatMap(operation),
  ])

const listOf = ({ name, description, operations }: Group): string[] => [
  `### ${name}`,
  '',
  `[${name}](${fileOf(name)}): ${description}`,
  '',
  ...table(
    ['Operation', ''],
    operations.map(({ method, path, summary }) => [
      `\`${method} ${path}\``,
      `[${summary}](${fileOf(name)}#${slug(summary).replace(/[^\p{L}\p{N}_-]/gu, '')})`,
    ]),
  ),
]

const start = ({ groups, parameters, meta, errors }: Reference): string =>
  written([
    '# API reference',
    '',
    made,
    '',
    'A running service has the same at `/analytics/v1/docs`, and the OpenAPI 3.1 document that it is made from at',
    '`/analytics/v1/openapi.json`.',
    '',
    linked(introduction.trim()),
    '',
    'Most operations may answer with these:',
    '',
    ...table(
      ['Status', 'Codes'],
      errors.map(([status, codes]) => [status, codes.map(code => `\`${code}\``).join(', ')]),
    ),
    '## Operations',
    '',
    ...groups.flatMap(listOf),
    '## Parameters of many operations',
    '',
    ...table(
      ['Parameter', 'Type', 'Meaning'],
      parameters.map(({ name, type, description }) => [`\`${name}\``, type, description]),
    ),
    '## What meta holds',
    '',
    ...meanings(
      'Field',
      meta.map(field => ({ ...field, required: false })),
    ),
  ])

/** The texts of docs/api.md and of a page of each tag, by their names below docs. */
export const apiDocuments = (reference: Reference): ReadonlyMap<string, string> =>
  new Map([['api.md', start(reference)], ...reference.groups.map(one => [fileOf(one.name), group(one)] as const)])
