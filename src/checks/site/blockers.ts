// Whether visitors' content blockers stop the tracker, its hits or the pixel by their address.
import type { CheckResult } from '../result.ts'
import { blockingRule, type BlockableRequest } from './blocker-rules.ts'
import type { Page } from './page.ts'

type Address = Omit<BlockableRequest, 'page'> & { what: string; rename: string }

const addressesOf = ({ tag, pixels }: Page, api: string): Address[] => [
  {
    what: 'the tracker',
    url: tag.src,
    types: ['script'],
    rename: 'Serve the tracker under another name with --tracker-path, or the service under another --root-path.',
  },
  ...['hit', 'event', 'engagement'].map(
    (kind): Address => ({
      what: `a request that the tracker sends (${kind})`,
      url: `${api}/${kind}`,
      types: ['xmlhttprequest', 'ping'],
      rename: 'Serve the API under another path: change --root-path, --base-path or data-api.',
    }),
  ),
  ...pixels.map(
    (url): Address => ({
      what: 'the pixel',
      url,
      types: ['image'],
      rename: 'Use its second name in the page: noscript.gif instead of pixel.gif.',
    }),
  ),
]

/** The same address on a host that no rule names, which tells whether the host or the path is what a rule means. */
const withoutHost = (url: string): string => Object.assign(new URL(url), { hostname: 'host.invalid' }).href

/** One warning for each address that a widespread list blocks; none of them is a failure. */
export const blockerWarnings = (page: Page, api: string): CheckResult[] => {
  const warned = new Set<string>()
  return addressesOf(page, api).flatMap(({ what, rename, ...address }) => {
    const request = { ...address, page: page.url }
    const rule = blockingRule(request)
    if (rule === undefined || warned.has(rule.text)) return []
    warned.add(rule.text)
    const { hostname } = new URL(address.url)
    const isHost = !rule.blocks({ ...request, url: withoutHost(address.url) })
    return [
      {
        id: 'blockers',
        status: 'warning',
        message: `Content blockers stop ${what} at ${address.url}, by the rule ${rule.text} of EasyPrivacy.`,
        fix: `${isHost ? `Give the service another host name than ${hostname}, such as footfall.… or the site's own.` : rename} See docs/blockers.md.`,
      },
    ]
  })
}
