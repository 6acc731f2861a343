// Which addresses content blockers stop on any site.
import listed from '../../../data/blocked-addresses.txt'
import { dataRows } from '../../lib/data-rows.ts'
import { lazy } from '../../lib/lazy.ts'

/** What blocked addresses hold: texts in this order, lower case, with `…` between them; `//` before a host. */
export const blockedForms = lazy<readonly string[]>(() =>
  dataRows(listed).flatMap(([form = '', words = '']) => words.split(' ').map(word => form.replace('{}', word))),
)

const holds = (address: string, form: string): boolean => {
  const [first = '', second = ''] = form.split('…')
  const at = address.indexOf(first)
  return at >= 0 && address.includes(second, at + first.length)
}

/** The first form that an address has. */
export const blockedForm = (url: string): string | undefined => {
  const address = url.toLowerCase()
  return blockedForms().find(form => holds(address, form))
}
