// One word a thing in all that users read, in four languages: a visit and a page view. `session` and `view` are names of the
// API, of the file and of the code; a login is no session.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { languageNames } from '../../src/lib/texts.ts'

type Tree = { [key: string]: Tree | string }
type Element = { type: number; value?: unknown; options?: Record<string, { value: Element[] }> }

/** Words of a visit and of a page view that are not ours, and where the same word is right: the page is named, or it means something else. */
const words: Record<(typeof languageNames)[number], { wrong: RegExp; right: RegExp }> = {
  en: {
    wrong: /\bsessions?\b|\bviews?\b/i,
    right:
      /\bsession fixation\b|\b(?:page|live|product) views?\b|\bviews? of (?:(?:the|its|a|each|these|missing) )?pages?\b|\bviews? pages\b/gi,
  },
  de: {
    wrong: /Sitzung|Session|\b(?:Aufruf|Ansicht)/,
    right: /\bLive-Ansicht\b|\bAufrufe (?:der|seiner|fehlender) Seiten?\b/g,
  },
  fr: {
    wrong: /\bsessions?\b|(?:^|[…÷:|] |\b(?:de|des|les|la|une|aucune|dernières|première|sans|ses) )vues?\b/i,
    right: /\bvues? de (?:la |ses )?pages?\b|\bvue d’ensemble\b/gi,
  },
  es: {
    wrong: /\bsesi(?:ón|ones)\b|\bvistas?\b|\bvisualizaci(?:ón|ones)\b/i,
    right:
      /\bpáginas? (?:más )?vistas?\b|\bpágina (?:más )?vista\b|\bvistas de (?:la |sus )?páginas?\b|\bvista previa\b|\bvistas las visitas\b|\b(?:inici|cerr|cierr)[a-zéó]*(?: de| la| una)?(?: todas)?(?: las| mis)? sesi(?:ón|ones)\b|\bsesión (?:iniciada|abierta)|\bla sesión abierta\b/gi,
  },
}
const wrongIn = (language: (typeof languageNames)[number], text: string): string | undefined =>
  words[language].wrong.exec(text.replaceAll(words[language].right, '…'))?.[0]

/** A text with … for its values, and its forms one after the other. */
const wording = (elements: readonly Element[]): string =>
  elements
    .map(({ type, value, options }) => {
      if (options === undefined) return type === 0 ? String(value) : '…'
      return Object.values(options)
        .map(option => wording(option.value))
        .join(' | ')
    })
    .join('')
const textsIn = (tree: Tree, path: string): [path: string, text: string][] =>
  Object.entries(tree).flatMap(([key, value]) => {
    if (typeof value !== 'string') return textsIn(value, `${path}.${key}`)
    const parsed = new IntlMessageFormat(value, 'en', undefined, { ignoreTag: true }).getAst() as Element[]
    return [[`${path}.${key}`, wording(parsed)]]
  })

/** What people search for, in whatever words they have. */
const isSearched = (path: string): boolean => path.endsWith('.keywords')

for (const language of languageNames)
  test(`${language}: texts say visit and page view`, () => {
    const files = readdirSync('data')
      .map(folder => `data/${folder}/${language}.json`)
      .filter(file => existsSync(file))
    assert.ok(files.length > 6)
    const texts = files.flatMap(file => textsIn(JSON.parse(readFileSync(file, 'utf8')), file))
    assert.equal(
      texts.filter(([path, text]) => !isSearched(path) && wrongIn(language, text) !== undefined),
      [],
    )
  })

/** Documents about the inside of the program, where a session and a view are rows. */
const inside = ['docs/benchmark.md', 'docs/design.md', 'docs/packed-days.md', 'docs/performance.md']

// The API reference and the list of commands are made from summaries, descriptions and --help, so these are read here as well.
test('documents say visit and page view', () => {
  const files = [
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'wordpress/footfall/readme.txt',
    ...globSync('docs/**/*.md'),
  ]
  assert.ok(files.length > 30)
  const wrong = files
    .filter(file => !inside.includes(file))
    .flatMap(file =>
      readFileSync(file, 'utf8')
        .replace(/^ *```.*?^ *```/gms, '')
        .replace(/`[^`]*`|\]\([^)]*\)/g, '…')
        .split(/\n(?=[#|]|[*-] |\d+\. )|\n\n/)
        .map(paragraph => `${file}: ${paragraph.replace(/\s+/g, ' ')}`),
    )
    .filter(paragraph => wrongIn('en', paragraph) !== undefined)
  assert.equal(wrong, [])
})

test.run()
