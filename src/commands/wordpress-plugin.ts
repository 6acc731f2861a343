import { writeFileSync } from 'node:fs'
import { ExpectedError, errorText } from '../lib/errors.ts'
import { readAsset } from '../runtime/assets.ts'
import type { Command } from './command.ts'

const usual = 'footfall-wordpress.zip'

export const wordpressPlugin: Command = {
  name: 'wordpress-plugin',
  example: 'wordpress-plugin footfall-wordpress.zip',
  arguments: ['[FILE]'],
  about: `Write the WordPress plugin to a file, for wp-admin or 'wp plugin install FILE --activate'. Default: ${usual}.`,
  run: ({ args: [file = usual], print }) => {
    try {
      writeFileSync(file, readAsset(usual))
    } catch (error) {
      throw new ExpectedError(`${file} cannot be written: ${errorText(error)}`)
    }
    print(`Wrote ${file}. Install and activate it in WordPress, then run 'footfall connect wordpress'.`)
    return 0
  },
}
