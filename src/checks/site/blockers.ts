// Whether visitors' content blockers stop the tracker, its hits or the pixel by their address.
import listed from '../../../data/blocked-addresses.txt'
import { dataRows } from '../../lib/data-rows.ts'
import { lazy } from '../../lib/lazy.ts'
import type { CheckResult } from '../result.ts'
import { type Sentence, say } from '../sentences.ts'
import type { Page } from './page.ts'

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

type Address = { what: Sentence; url: string; rename: Sentence }

const addressesOf = ({ tag, pixels }: Page, api: string): Address[] => [
  {
    what: say('blocked_tracker'),
    url: tag.src,
    rename: say('blocked_tracker_fix'),
  },
  ...['hit', 'event', 'engagement'].map(
    (kind): Address => ({
      what: say('blocked_request', { kind }),
      url: `${api}/${kind}`,
      rename: say('blocked_request_fix'),
    }),
  ),
  ...pixels.map(
    (url): Address => ({
      what: say('blocked_pixel'),
      url,
      rename: say('blocked_pixel_fix'),
    }),
  ),
]

/** One warning for each form of address that content blockers stop; none of them is a failure. */
export const blockerWarnings = (page: Page, api: string): CheckResult[] => {
  const warned = new Set<string>()
  return addressesOf(page, api).flatMap(({ what, url, rename }) => {
    const form = blockedForm(url)
    if (form === undefined || warned.has(form)) return []
    warned.add(form)
    const { hostname } = new URL(url)
    return [
      {
        id: 'blockers',
        status: 'warning',
        message: say('blockers', { what, url, form: form.replace('//', '') }),
        fix: form.startsWith('//') ? say('blocked_host_fix', { hostname }) : rename,
      },
    ]
  })
}
