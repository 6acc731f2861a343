import { resolve } from 'node:path'
import { readOptions, UsageError } from '../config/config.ts'
import { accessLogOf, logForms } from '../import/access-log/detect.ts'
import type { LogRules } from '../import/access-log/page.ts'
import type { RecordingFile } from '../import/order.ts'
import { requests } from '../import/requests.ts'
import { closeSource, openFile, type Source, spool } from '../import/source.ts'
import { parseAddressList } from '../lib/address/list.ts'
import { ExpectedError } from '../lib/errors.ts'
import { historyFormats as formatNames } from '../lib/histories.ts'
import type { Call, Command } from './command.ts'
import { withDatabaseAlone } from './database.ts'
import { runArchiveImport } from './import-archive.ts'
import { tuneForImport, withPlace } from './import-beside.ts'
import { formatsFor, historyFlags, runHistoryImport } from './import-history.ts'
import { listImports, undoImport } from './import-list.ts'
import { runOrderImport } from './import-orders.ts'
import { importRecording } from './import-recording.ts'
import { jsonFlag } from './listing.ts'

/** Formats that are no histories of other programs. */
const otherFormats = ['requests', 'access-log', 'archive', 'woocommerce-orders'] as const
const names = ['auto', ...formatNames, ...otherFormats].join(', ').replace(/, (?!.*, )/, ' and ')

const readFormat = (flag: unknown): (typeof otherFormats)[number] => {
  const format = otherFormats.find(name => name === flag)
  if (format === undefined) throw new UsageError(`--format takes one of ${names}, not '${String(flag)}'.`)
  return format
}

const logFormNames = logForms.map(({ name }) => name)

const readLogForm = ({ lineFormat: name }: Call['flags']): string | null => {
  if (name === undefined) return null
  if (typeof name === 'string' && logFormNames.includes(name)) return name
  throw new UsageError(`--line-format takes one of ${logFormNames.join(', ')}, not '${String(name)}'.`)
}

/** `/shop/*.php,/x` as patterns of paths. */
const readPatterns = (name: string, value: unknown): RegExp[] =>
  (typeof value === 'string' ? value : '')
    .split(',')
    .map(pattern => pattern.trim())
    .filter(pattern => pattern !== '')
    .map(pattern => {
      if (!/^[/*]/.test(pattern))
        throw new UsageError(`--${name} takes paths, in which * stands for any characters, such as /blog/*.php.`)
      return new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`, 'i')
    })

const readLogRules = ({ pagePattern, skipPattern }: Call['flags'], trustProxy: readonly string[]): LogRules => ({
  proxies: parseAddressList([...trustProxy]).list,
  pagePatterns: readPatterns('page-pattern', pagePattern),
  skipPatterns: readPatterns('skip-pattern', skipPattern),
})

const openSource = (file: string, data: string): Promise<Source> | Source => {
  if (file === '-') return spool(process.stdin, resolve(data))
  try {
    return openFile(file)
  } catch {
    throw new ExpectedError(`${file} cannot be read. Name a file, or - for standard input.`)
  }
}

export const importCommand: Command = {
  name: 'import',
  example: 'import export.zip --dry-run',
  arguments: ['[FILE...]'],
  about:
    'Import the history of another analytics program, recorded visits (requests, access-log), orders, or an archive. ' +
    'Gzip and ZIP are detected. Use - for standard input. The service may be ' +
    'running; for an archive stop it first.',
  flags: [
    {
      flag: '--format <FORMAT>',
      about:
        `auto: the history of another analytics program, recognised by its contents. ${formatNames.join(', ')}: that of ` +
        'this program. requests: one collection request per line (NDJSON). access-log: the combined format of nginx and Apache, and the JSON of Caddy and nginx. ' +
        'woocommerce-orders: orders from the REST API, one per line or in one array. ' +
        'archive: files written by retention and export.',
      default: 'auto',
    },
    ...historyFlags,
    { flag: '--list', about: 'List the histories that were imported. The service may be running.' },
    {
      flag: '--undo <ID>',
      about: 'Remove everything that an import of a history brought. The service may be running.',
    },
    jsonFlag,
    {
      flag: '--line-format <NAME>',
      about: `With access-log: ${logFormNames.join(', ')}. Default: by the first lines.`,
    },
    {
      flag: '--page-pattern <PATHS>',
      about: 'With access-log: paths that are pages, whatever they end in, such as /blog/*.pdf. Repeatable.',
      list: true,
    },
    {
      flag: '--skip-pattern <PATHS>',
      about: 'With access-log: paths that are no pages, such as /api/*. Repeatable.',
      list: true,
    },
    { flag: '--sort', about: 'Sort the lines by time first (in memory).' },
    { flag: '--merge', about: 'Import even if the database has activity after the first line.' },
    { flag: '--again', about: 'Count every line, also those that were imported before.' },
    { flag: '--replace', about: 'With archive: overwrite days that are already present.' },
  ],
  run: async call => {
    if (call.flags.list === true) return listImports(call)
    if (call.flags.undo !== undefined) return undoImport(call)
    if (call.args.length === 0) throw new UsageError('Name the file to import, or - for standard input.')
    const history = formatsFor(call.flags.format)
    if (history !== null) return runHistoryImport(call, history)
    const format = readFormat(call.flags.format)
    const logForm = readLogForm(call.flags)
    const takesSeveral = format === 'requests' || format === 'access-log'
    if (call.args.length > 1 && !takesSeveral) throw new UsageError(`--format ${format} takes one file.`)
    const { data, timezone, trustProxy } = readOptions(['data', 'timezone', 'trustProxy'], call.flags, call.env)
    const logRules = readLogRules(call.flags, trustProxy)
    const files: RecordingFile[] = []
    const open = async (): Promise<Source[]> => {
      for (const name of new Set(call.args)) files.push({ name, source: await openSource(name, data) })
      return files.map(({ source }) => source)
    }
    try {
      if (format === 'archive')
        return await withDatabaseAlone(call, 'import', false, async db => {
          tuneForImport(db)
          const [source] = await open()
          return source === undefined ? 1 : runArchiveImport(call, source, db, timezone)
        })
      return await withPlace(call, async place => {
        const sources = await open()
        const [source] = sources
        if (source !== undefined && format === 'woocommerce-orders') return runOrderImport(call, source, place)
        const lines = format === 'requests' ? requests : await accessLogOf(sources, logForm, logRules)
        return importRecording(call, files, lines, place)
      })
    } finally {
      for (const { source } of files) closeSource(source)
    }
  },
}
