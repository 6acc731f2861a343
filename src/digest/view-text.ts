import { dropControls } from '../lib/controls.ts'

const maxLength = 120

/** What visitors and editors wrote, as one line that does not push everything else away. */
export const safe = (text: string, max = maxLength): string => {
  const signs = [...dropControls(text).trim()]
  return signs.length <= max ? signs.join('') : `${signs.slice(0, max - 1).join('')}…`
}
