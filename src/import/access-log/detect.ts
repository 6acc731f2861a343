import { ExpectedError } from '../../lib/errors.ts'
import type { Format } from '../line.ts'
import { isZlib, linesOf, maxLine, type Source } from '../source.ts'
import { combinedLog, isCommon } from './combined.ts'
import type { LogForm } from './form.ts'
import { caddyLog, nginxLog } from './json.ts'
import type { LogRules } from './page.ts'

export const logForms: readonly LogForm[] = [combinedLog, caddyLog, nginxLog]

const sampleSize = 20

/** The first lines that are neither empty nor comments. */
const sampleOf = async (source: Source): Promise<string[]> => {
  const lines: string[] = []
  try {
    for await (const text of linesOf(source, maxLine)) {
      if (text === null || text.trim() === '' || (text.startsWith('#') && !text.startsWith('#Fields:'))) continue
      lines.push(text)
      if (lines.length === sampleSize) break
    }
  } catch (error) {
    // That the file is damaged is said when all of it is read.
    if (!isZlib(error)) throw error
  }
  return lines
}

const looks: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^#Fields:.*x-edge-location/, 'a log of CloudFront'],
  [/^#Fields:/, 'a log of the W3C extended format, as of IIS'],
  [/^\{.*"(?:RequestHost|ClientHost)"/, "Traefik's JSON"],
  [/^\{.*"footfall_archive"/, 'an archive of Footfall: use --format archive'],
  [/^\{.*"endpoint"/, 'recorded requests: use --format requests'],
  [/^\{/, 'JSON of another kind'],
]

const describe = (line: string): string => {
  if (isCommon(line))
    return (
      'the common format, which has no user agents, so that bots cannot be distinguished from people. Let the server log the ' +
      'combined format'
    )
  return looks.find(([pattern]) => pattern.test(line))?.[1] ?? 'something else'
}

/**
 * The form that fits most of the first lines; null for an empty file, as a log that has just been rotated is.
 * @throws ExpectedError if none fits any of them
 */
const detect = async (source: Source): Promise<LogForm | null> => {
  const lines = await sampleOf(source)
  if (lines.length === 0) return null
  const counts = logForms.map(form => ({ form, count: lines.filter(form.fits).length }))
  const [best] = counts.sort((a, b) => b.count - a.count)
  const [first] = lines
  if (best === undefined || (best.count === 0 && first !== undefined))
    throw new ExpectedError(
      `None of the first ${lines.length} lines can be read: they look like ${describe(first ?? '')}. ` +
        `Access logs can be of ${logForms.map(({ title }) => title).join(', ')}. Nothing was imported.`,
    )
  return best.form
}

const detectAll = async (sources: readonly Source[]): Promise<LogForm> => {
  const forms: (LogForm | null)[] = []
  for (const source of sources) forms.push(await detect(source))
  const [form = combinedLog, other] = new Set(forms.filter(one => one !== null))
  if (other !== undefined)
    throw new ExpectedError(
      `The files are of different forms: ${form.title} and ${other.title}. Import them one after the other, or name the ` +
        'form with --line-format. Nothing was imported.',
    )
  return form
}

/**
 * Page views of a web server's log; everything else is skipped.
 * @throws ExpectedError if none of the first lines can be read, or the files are of different forms
 */
export const accessLogOf = async (
  sources: readonly Source[],
  name: string | null,
  rules: LogRules,
): Promise<Format> => {
  const form = logForms.find(one => one.name === name) ?? (await detectAll(sources))
  return {
    // A line is written at the end of its request but has the time of its start.
    tolerance: 600,
    timeOf: form.timeOf,
    parse: text => form.parse(text, rules) ?? { problem: `not a line of ${form.title}` },
  }
}
