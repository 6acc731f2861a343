// Whether visitors' content blockers stop the tracker, its hits or the pixel by their address.
import type { CheckResult } from '../result.ts'
import { blockedForm } from './blocked-addresses.ts'
import type { Page } from './page.ts'

type Address = { what: string; url: string; rename: string }

const addressesOf = ({ tag, pixels }: Page, api: string): Address[] => [
  {
    what: 'the tracker',
    url: tag.src,
    rename: 'Serve the tracker under another name with --tracker-path, or the service under another --root-path.',
  },
  ...['hit', 'event', 'engagement'].map(
    (kind): Address => ({
      what: `a request that the tracker sends (${kind})`,
      url: `${api}/${kind}`,
      rename: 'Serve the API under another path: change --root-path, --base-path or data-api.',
    }),
  ),
  ...pixels.map(
    (url): Address => ({
      what: 'the pixel',
      url,
      rename: 'Use its second name in the page: noscript.gif instead of pixel.gif.',
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
        message: `Content blockers stop ${what} at ${url}, as ${form.replace('//', '')} is on lists such as EasyPrivacy.`,
        fix: `${form.startsWith('//') ? `Give the service another host name than ${hostname}, such as footfall.… or the site's own.` : rename} See docs/blockers.md.`,
      },
    ]
  })
}
