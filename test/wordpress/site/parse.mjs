// parse.mjs PHP FILE…: PHP 7.4 reads each file, and reports what it does not understand. PHP is the folder where npm has installed it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [folder, ...files] = process.argv.slice(2)
const require = createRequire(join(folder, 'package.json'))
const { getPHPLoaderModule } = require('@php-wasm/node-7-4')
const { PHP, loadPHPRuntime } = require('@php-wasm/universal')

const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule(), {}))
const code = `<?php
try { token_get_all( file_get_contents( '/file.php' ), TOKEN_PARSE ); echo PHP_VERSION, ' fine'; }
catch ( ParseError $error ) { echo PHP_VERSION, ' line ', $error->getLine(), ': ', $error->getMessage(); }`
for (const file of files) {
  php.writeFile('/file.php', readFileSync(file))
  console.log(`${file}: ${(await php.run({ code })).text}`)
}
process.exit()
