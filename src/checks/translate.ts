// Sentences of checks in other languages. They are written in English where they arise; a template of data/checks
// matches a whole sentence, and its values are translated in the same way where they are sentences themselves.
import de from '../../data/checks/de.json'
import es from '../../data/checks/es.json'
import fr from '../../data/checks/fr.json'
import { lazy } from '../lib/lazy.ts'
import type { Audit, Finding, SelfTest, SiteCheck } from './result.ts'

type Template = { pattern: RegExp; text: string }

const patternOf = (english: string): RegExp => {
  const parts = english
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) : `(?<${part}>.+?)`))
  return new RegExp(`^${parts.join('')}$`, 's')
}

const compile = (catalogue: Readonly<Record<string, string>>): Template[] =>
  Object.entries(catalogue).map(([english, text]) => ({ pattern: patternOf(english), text }))

const catalogues: Readonly<Record<string, () => readonly Template[]>> = {
  de: lazy(() => compile(de)),
  es: lazy(() => compile(es)),
  fr: lazy(() => compile(fr)),
}

/** A sentence in a language; in English where there is no template, or no such language. */
export const translate = (sentence: string, language: string): string => {
  for (const { pattern, text } of catalogues[language.split('-', 1).join('').toLowerCase()]?.() ?? []) {
    const match = pattern.exec(sentence)
    if (match === null) continue
    const { groups = {} } = match
    return text.replace(/\{(\w+)\}/g, (_, name: string) => translate(groups[name] ?? '', language))
  }
  return sentence
}

export const translateFindings = (findings: readonly Finding[], language: string): Finding[] =>
  findings.map(finding => ({
    ...finding,
    message: translate(finding.message, language),
    hint: translate(finding.hint, language),
  }))

export const translateAudit = ({ checks, ...audit }: Audit, language: string): Audit => ({
  ...audit,
  checks: checks.map(check => ({
    ...check,
    label: translate(check.label, language),
    detail: translate(check.detail, language),
  })),
})

export const translateSelfTest = ({ checks, ...test }: SelfTest, language: string): SelfTest => ({
  ...test,
  checks: checks.map(check => ({ ...check, message: translate(check.message, language) })),
})

export const translateSiteCheck = ({ next, steps, ...check }: SiteCheck, language: string): SiteCheck => ({
  ...check,
  next: next === null ? null : translate(next, language),
  steps: steps.map(({ message, fix, ...step }) => ({
    ...step,
    message: translate(message, language),
    ...(fix !== undefined && { fix: translate(fix, language) }),
  })),
})
