// What can be read off the plugin's files without a WordPress: the rules of wordpress.org's directory, and translations.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'

let files: Readonly<Record<string, Uint8Array>> = {}
let php: readonly string[] = []
/** Calls of WordPress' functions for texts, with all of their arguments that are plain. */
let texts: { name: string; text: string; domain: string | undefined }[] = []
const textOf = (name: string): string => new TextDecoder().decode(files[name])

test.before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-plugin-'))
  const file = join(folder, 'plugin.zip')
  await footfallHere(['wordpress-plugin', file])
  const zip = unzipSync(readFileSync(file))
  rmSync(folder, { recursive: true })
  files = Object.fromEntries(Object.entries(zip).map(([name, bytes]) => [name.replace('footfall/', ''), bytes]))
  php = Object.keys(files).filter(name => name.endsWith('.php'))
  texts = php.flatMap(name =>
    [...textOf(name).matchAll(/\b(?:__|_e|esc_(?:html|attr)_(?:_|e))\( '((?:[^'\\]|\\.)*)'(?:, '([^']*)')? \)/g)].map(
      ([, text = '', domain]) => ({ name, text: text.replace(/\\(.)/g, '$1'), domain }),
    ),
  )
})

/** Sentences that WordPress itself has, in more languages. */
const borrowed = new Set([
  'Settings saved.',
  'Sorry, you are not allowed to access this page.',
  'Sorry, you are not allowed to do that.',
  'No route was found matching the URL and request method.',
])

const fieldOf = (text: string, field: string): string =>
  new RegExp(`^[ *]*${field}:[ \\t]*(.+)$`, 'm').exec(text)?.[1]?.trim() ?? ''

test('the plugin has what it says, and nothing else', () => {
  for (const name of Object.keys(files))
    assert.match(
      name,
      /^(?:footfall|functions|uninstall)\.php$|^readme\.txt$|^src\/[A-Z]\w+\.php$|^assets\/\w+\.js$|^blocks\/\w+\/block\.json$|^languages\/footfall(?:\.pot|-\w\w\.[mp]o)$/,
    )
  for (const name of ['assets/tracker.js', 'uninstall.php', 'languages/footfall-de.mo']) assert.ok(files[name], name)
})

test('its two headers agree', () => {
  const [main, readme] = [textOf('footfall.php'), textOf('readme.txt')]
  for (const field of ['Requires at least', 'Requires PHP', 'License', 'License URI'])
    assert.is(fieldOf(main, field), fieldOf(readme, field), field)
  assert.is(fieldOf(main, 'Version'), fieldOf(readme, 'Stable tag'))
  assert.ok(main.includes(`const VERSION = '${fieldOf(main, 'Version')}';`))
  assert.ok(readme.includes(`= ${fieldOf(main, 'Version')} =`), 'the list of changes has this version')
  assert.is(fieldOf(main, 'Text Domain'), 'footfall')
  // Or a plugin of this name in wordpress.org's directory would take its place.
  assert.is(fieldOf(main, 'Update URI'), 'false')
  assert.ok(fieldOf(readme, 'Tags').split(',').length <= 5)
  const short = /\n\n(.+)\n\n== Description/.exec(readme)?.[1] ?? ''
  assert.ok(short.length > 0 && short.length <= 150, `${short.length} characters`)
})

test('no file does anything when it is asked for by itself', () => {
  for (const name of php)
    assert.match(textOf(name), /^defined\( '(?:ABSPATH|WP_UNINSTALL_PLUGIN)' \) \|\| exit;$/m, name)
})

test('what is printed is escaped, what is read is checked, or the reason why not is written there', () => {
  const escaped = /^(?:esc_\w+|wp_kses\w*|absint|wp_json_encode)\(/
  for (const name of php) {
    const lines = textOf(name).split('\n')
    let isExcused = false
    lines.forEach((line, index) => {
      if (/phpcs:disable/.test(line)) isExcused = true
      if (/phpcs:enable/.test(line)) isExcused = false
      const place = `${name}:${index + 1}: ${line.trim()}`
      const excuse = /phpcs:ignore [\w.]+(?:, [\w.]+)* -- \S/
      if (isExcused || excuse.test(line) || excuse.test(lines[index - 1] ?? '')) return
      for (const [, what = ''] of line.matchAll(/\becho (.+?);/g)) assert.match(what, escaped, place)
      if (/\$_(?:GET|POST|REQUEST|COOKIE|SERVER)\[/.test(line))
        assert.match(line, /sanitize_|esc_url_raw|isset\( \$_\w+\[ \$?[\w']+ \] \)(?! \?)/, place)
      assert.not.match(
        line,
        /<\?(?!php)|\b(?:eval|create_function|base64_decode|curl_init|ini_set|extract|shell_exec|goto)\s*\(|<<</,
        place,
      )
    })
  }
})

test('each text has the domain of the plugin', () => {
  assert.ok(texts.length > 20)
  for (const { name, text, domain } of texts)
    assert.is(domain, borrowed.has(text) ? undefined : 'footfall', `${name}: ${text}`)
  // Whatever is no plain text could not be found by those who translate.
  const calls = php.flatMap(name => [...textOf(name).matchAll(/\b(?:__|_e|_n|_x|esc_(?:html|attr)_(?:_|e|x))\(/g)])
  assert.is(calls.length, texts.length)
})

for (const language of ['de', 'es', 'fr'])
  test(`each text is there in ${language}, with its placeholders`, () => {
    const translations = new Map<string, string>(
      [...textOf(`languages/footfall-${language}.po`).matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)].map(
        ([, text = '', translation = '']) => [text.replaceAll('\\"', '"'), translation],
      ),
    )
    // WordPress translates its headers as well.
    const headers = ['Plugin Name', 'Description', 'Author'].map(name => fieldOf(textOf('footfall.php'), name))
    const own = new Set([...headers, ...texts.map(({ text }) => text).filter(text => !borrowed.has(text))])
    assert.equal([...translations.keys()].sort(), [...own].sort())
    for (const [text, translation] of translations)
      assert.equal(translation.match(/%\w/g), text.match(/%\w/g), translation)
  })

test.run()
