// Renews data/advisor/ask/ordinary.json, the words of dictionaries that the asker would take for typing errors of those that
// it knows, from npm packages: part of `npm run renew`, and to be run when words were added to data/advisor/ask.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = import.meta.dirname
const path = join(root, 'data/advisor/ask/ordinary.json')

/** The words of a Hunspell dictionary, with their plainest endings: of nouns, verbs and adverbs, by the letters after a slash. */
export const inflected = text =>
  text.split('\n').flatMap(line => {
    const [word = '', flags = ''] = line.trim().split('/')
    const bare = word.replace(/e$/, '')
    const hissing = /(?:[sxz]|ch|sh)$/.test(word) ? 'es' : 's'
    return [
      word,
      ...(flags.includes('S') ? [/[^aeiou]y$/.test(word) ? word.replace(/y$/, 'ies') : word + hissing] : []),
      ...(flags.includes('D') ? [/[^aeiou]y$/.test(word) ? word.replace(/y$/, 'ied') : `${bare}ed`] : []),
      ...(flags.includes('G') ? [`${bare}ing`] : []),
      ...(flags.includes('Y') ? [`${word.replace(/y$/, 'i')}ly`] : []),
    ]
  })

/** Everyday words that the German list lacks; those written here are ours. */
const everyday =
  'Aktie Aktien Anlass Anlage Ausgabe Ausgaben Auftrag Aufgabe Ausweis Bahn Ball Bank Becher Beere Beispiel Bericht Berg Beruf Besen Beweis Bild Birne ' +
  'Blatt Blume Boden Boot Brief Brille Brot Bruder Buch Butter Decke Dienst Dorf Eimer Eltern Ente Erde Essen Fahne Fall Farbe Feder Feier Fenster Feuer Fieber ' +
  'Finger Fisch Flasche Fleisch Flug Frage Freund Garten Gabel Geist Gericht Geruch Gewicht Gipfel Glas Glocke Grenze Gruppe Hafen Hammer Hose Hotel Hund ' +
  'Insel Jacke Kabel Kaffee Kanne Karte Katze Kette Keller Kirsche Klasse Kleid Koch Koffer Kosten Kraft Kranz Kreis Kuchen Lager Lampe Leder Lehre Lehrer ' +
  'Leiter Licht Liebe Lippe Macht Mappe Markt Masse Mauer Meister Messer Meter Miete Milch Mitte Monat Motor Mutter Nadel Nagel Name Nase Nebel Nerven Nutzen ' +
  'Paket Partei Pause Pfanne Pfeffer Pflanze Platz Preis Probe Punkt Quelle Rahmen Rasen Rechnung Rede Regel Regeln Regen Reise Reifen Richter Ring Rose Rucksack ' +
  'Sache Sahne Salat Sand Sattel Schale Schatten Schere Schirm Schlaf Schloss Schnee Schrank Schritt Schule Schuld Segel Seife Seile Sinn Socke Sommer Sonne ' +
  'Spiegel Spiel Sport Stadion Stein Stelle Stern Steuer Stimme Stirn Stoff Strafe Strand Stufe Suppe Tafel Tanne Tasche Tasse Taube Teich Teller Tiger Tinte ' +
  'Tisch Titel Tochter Tonne Torte Traum Treppe Tropfen Ufer Urlaub Vater Verein Verkehr Vogel Vorrat Waffe Wagen Wald Wange Wanne Wasser Wecker Weide Wein ' +
  'Wette Wetter Wiese Winter Wolke Wolle Wunde Wurst Wurzel Zange Zelle Zeile Zettel Ziege Zimmer Zitrone Zucker Zunge Zweck Zwerg achten bauen beissen ' +
  'beten bieten binden bitten blasen bleiben brechen bremsen brennen danken dienen drehen erben fahren fallen fangen fassen feiern fliegen folgen freuen ' +
  'fressen frieren graben greifen halten hassen heben heilen heissen heizen helfen hoffen hupen jagen kauen kehren kleben klettern kochen kratzen lachen laden ' +
  'leihen leiden lenken lernen loben locken malen melden merken mieten mischen nehmen nicken packen passen pflegen planen putzen rasen raten rauben rauchen ' +
  'rechnen regnen reisen reissen reiten rennen retten rufen sagen sammeln schenken schieben schlafen schlagen schneiden schreien schweigen schwimmen senken ' +
  'setzen singen sinken sparen spielen sprechen springen spielt stecken stehlen steigen sterben stossen streiten suchen tanzen tauchen tauschen teilen tragen treffen ' +
  'treiben trennen treten trinken trocknen turnen weinen werben werfen winken wissen wohnen wollen zahlen zeichnen ziehen zittern zwingen'

const sources = {
  en: { name: 'dictionary-en@4.0.0', file: 'index.dic', read: inflected },
  de: {
    name: 'an-array-of-german-words@1.2.0',
    file: 'words.json',
    read: text => [...JSON.parse(text), ...everyday.split(' ')],
  },
  fr: { name: 'an-array-of-french-words@2.0.0', file: 'index.json', read: JSON.parse },
  es: { name: 'an-array-of-spanish-words@2.0.0', file: 'index.json', read: JSON.parse },
}

/** Longer words that differ by one letter from a known one are mostly forms of it. */
const maxLetters = 8

const isWord = word => /^[a-z]+$/.test(word) && word.length <= maxLetters

const wordsOf = ({ name, file, read }, folder) => {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', name], { cwd: folder, encoding: 'utf8' }),
  )
  execFileSync('tar', ['xzf', filename, '--strip-components=1', `package/${file}`], { cwd: folder })
  return read(readFileSync(join(folder, file), 'utf8'))
}

/** What the asker knows without this list, and how it writes words. */
const asker = async folder => {
  const outfile = join(folder, 'asker.mjs')
  const contents = `export { fold } from './src/advisor/ask/text.ts'; export { lexiconOf } from './src/advisor/ask/vocabulary.ts'`
  const withoutList = {
    name: 'without-list',
    setup: ({ onLoad }) => onLoad({ filter: /ordinary\.json$/ }, () => ({ contents: '{}', loader: 'json' })),
  }
  const stdin = { contents, resolveDir: root, loader: 'ts' }
  const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'error', loader: { '.sql': 'text' } }
  await build({ stdin, outfile, plugins: [withoutList], ...options })
  return import(pathToFileURL(outfile).href)
}

/** The German list has words without their first letter ("tatistik"), unlike the others. */
const isBeheaded = (word, known) => word.length > 5 && known.slice(1) === word

/** Of these words, those that would be corrected; sorted. */
export const ordinaryOf = (words, { fold, lexiconOf }, language) => {
  const { spans } = lexiconOf(language)
  const isTaken = word => {
    const known = spans([word]).find(({ corrected }) => corrected !== undefined)?.corrected
    return known !== undefined && !(language === 'de' && isBeheaded(word, known))
  }
  return [...new Set(words.map(fold))].filter(word => isWord(word) && isTaken(word)).sort()
}

const sharedLetters = (a, b) => {
  let at = 0
  while (at < 9 && at < a.length && a[at] === b[at]) at += 1
  return at
}

/** Each word begins with how many letters it has in common with the word before. */
export const packed = words =>
  words.map((word, at) => {
    const shared = sharedLetters(words[at - 1] ?? '', word)
    return `${shared}${word.slice(shared)}`
  })

const main = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ordinary-'))
  try {
    const known = await asker(folder)
    const lists = Object.entries(sources).map(([language, source]) => {
      const words = ordinaryOf(wordsOf(source, folder), known, language)
      console.log(`${language}: ${words.length} words of ${source.name}`)
      return [language, packed(words).join(' ')]
    })
    writeFileSync(path, `${JSON.stringify(Object.fromEntries(lists), null, 2)}\n`)
  } catch (error) {
    console.error(`${path} was left as it is. ${error.message}`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
