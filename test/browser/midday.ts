// The tests of the dashboard begin at midday, so that no midnight falls within them, here or where the site is.
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

const day = 86_400_000
const shift = day / 2 - (Date.now() % day)
const program = resolve('test/browser/shift-date.cjs')

process.env.SHIFT_DATE = String(shift)
createRequire(program)(program)

/** What a program needs in its environment to have the clock of this process. */
export const midday = { NODE_OPTIONS: `--require "${program}"`, SHIFT_DATE: String(shift) }
