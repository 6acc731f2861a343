// Texts of the plugin as translators of WordPress get them: WP-CLI gathers them, and each language has them all.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { needs, wordpress } from '../support/needs.ts'

const test = needs(...wordpress)
const run = promisify(execFile)
const cache = resolve('dist/wordpress')
const languages = 'wordpress/footfall/languages'

const textsIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^msgid "(.+)"$/gm)].map(([, text = '']) => text).sort()

test('the template has all texts that WP-CLI finds, and each language translates them', async () => {
  await run(resolve('test/wordpress/site/get.sh'), [cache])
  const folder = mkdtempSync(join(tmpdir(), 'footfall-texts-'))
  const made = join(folder, 'footfall.pot')
  const options = ['--domain=footfall', '--skip-js', '--skip-block-json', '--no-location', '--file-comment=']
  const headers = '--headers={"POT-Creation-Date":"","Report-Msgid-Bugs-To":""}'
  const program = join(cache, 'newest/wp-cli.phar')
  await run('php', [program, '--allow-root', 'i18n', 'make-pot', 'wordpress/footfall', made, ...options, headers])
  const template = `${languages}/footfall.pot`
  if (process.env.UPDATE) writeFileSync(template, readFileSync(made))
  assert.equal(textsIn(template), textsIn(made), 'UPDATE=1 npm run test:only -- wordpress/languages')
  rmSync(folder, { recursive: true })
  for (const language of ['de', 'es', 'fr'])
    assert.equal(textsIn(`${languages}/footfall-${language}.po`), textsIn(template), language)
})

test.run()
