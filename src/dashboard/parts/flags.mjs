// Gathers the flags of all countries while the program is built: the page loads them as one file, once it shows any.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const drawn = require('country-flag-icons/string/3x2')
const codes = require('i18n-iso-countries/codes.json').map(([alpha2]) => alpha2)

/** The SVG of each country's flag by its ISO 3166-1 alpha-2 code, as JSON text. */
export const gatherFlags = () => JSON.stringify(Object.fromEntries(codes.map(code => [code, drawn[code]])))
