import de from '../../data/alerts/de.json'
import en from '../../data/alerts/en.json'
import es from '../../data/alerts/es.json'
import fr from '../../data/alerts/fr.json'
import { dayText, type Day, type Zone } from '../lib/time.ts'
import type { Finding, Raised } from './history.ts'
import type { AlertKind } from './kinds.ts'

export const alertTexts: Readonly<Record<string, typeof en>> = { en, de, fr, es }

/** The first of some language tags that there are texts in; English without one. */
const chooseName = (tags: readonly (string | undefined)[]): string =>
  tags.map(tag => (tag ?? '').split(/[-_.]/, 1).join('').toLowerCase()).find(name => Object.hasOwn(alertTexts, name)) ??
  'en'

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

const bytesIn =
  (language: string) =>
  (bytes: number): string => {
    const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)))
    const style = { style: 'unit', unit: units[step] ?? 'byte', maximumFractionDigits: 1 } as const
    return new Intl.NumberFormat(language, style).format(bytes / 1000 ** step)
  }

/** How the numbers of a finding are written, by their names; all others are counts. */
const formatsIn = (language: string, zone: Zone) => {
  const count = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const date = new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'long' })
  const moment = new Intl.DateTimeFormat(language, { timeZone: zone.name, dateStyle: 'long', timeStyle: 'short' })
  const dateOf = (day: Day): Date => new Date(`${dayText(day)}T00:00:00Z`)
  const time = (second: number): string => moment.format(second * 1000)
  const bytes = bytesIn(language)
  const byName: Readonly<Record<string, (value: number) => string>> = {
    since: time,
    share: value => percent.format(value),
    free: bytes,
    size: bytes,
    day: day => date.format(dateOf(day)),
  }
  return {
    time,
    valuesOf: ({ values, goal }: Finding): Record<string, string> => ({
      ...Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, byName[name]?.(value) ?? count.format(value)]),
      ),
      ...(values.from !== undefined &&
        values.to !== undefined && { span: date.formatRange(dateOf(values.from), dateOf(values.to)) }),
      goal: goal ?? '',
    }),
  }
}

type Message = { subject: string; text: string }
export type AlertSentences = {
  title: (kind: AlertKind) => string
  /** What an alert found. */
  sentence: (kind: AlertKind, finding: Finding) => string
  fix: (kind: AlertKind) => string
  /** The message at the beginning of an alert or, once it is over, at its end. */
  message: (raised: Raised, site: { name: string; url: string | null }) => Message
}

/** @param tags languages, the first that there are texts in is taken */
export const alertSentences = (zone: Zone, tags: readonly (string | undefined)[]): AlertSentences => {
  const language = chooseName(tags)
  const texts = alertTexts[language] ?? en
  const { time, valuesOf } = formatsIn(language, zone)
  const title: AlertSentences['title'] = kind => texts[`${kind}_title`]
  const sentence: AlertSentences['sentence'] = (kind, finding) =>
    fill(texts[kind === 'disk' && finding.values.full_hours !== undefined ? 'disk_filling' : kind], valuesOf(finding))
  const fix: AlertSentences['fix'] = kind => texts[`${kind}_fix`]
  return {
    title,
    sentence,
    fix,
    message: (raised, { name, url }) => {
      const { kind, beganAt, endedAt } = raised
      const named = { site: name, title: title(kind) }
      const body =
        endedAt === null
          ? [sentence(kind, raised), fix(kind)]
          : [fill(texts.over, { began: time(beganAt), ended: time(endedAt) }), sentence(kind, raised)]
      const paragraphs = [...body, ...(url === null ? [] : [fill(texts.link, { url })]), texts.footer]
      return {
        subject: fill(endedAt === null ? texts.subject : texts.subject_over, named),
        text: `${paragraphs.join('\n\n')}\n`,
      }
    },
  }
}
