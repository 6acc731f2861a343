import { explain, load, type Patience } from './load.ts'
import { blockedBy } from './policy.ts'
import { ended, failed, right, type Found, type Step } from './step.ts'
import { elementsOf, metaPolicies, scriptsOf, type Tag } from './tag.ts'

/** The page as it came, after redirects, with the tracker's tag. */
export type Page = { url: string; tag: Tag; policies: string[] }

const isTracker = (tag: Tag, paths: readonly string[]): boolean =>
  paths.some(path => new URL(tag.src).pathname.endsWith(path))

const isHtml = (answer: Response): boolean => /html/i.test(answer.headers.get('content-type') ?? 'text/html')

/** A script that is another kind of data is there, but does not run. */
const isScript = ({ attributes: { type = '' } }: Tag): boolean =>
  /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script)?$/i.test(type.trim())

const typeStep = (tag: Tag): Step[] => {
  if (isScript(tag)) return []
  const written = `The tracker's line has type="${tag.attributes.type}"`
  return [
    tag.attributes.type?.toLowerCase() === 'module'
      ? failed(`${written}: as a module it does not run.`, 'Take the type out of the line.')
      : failed(
          `${written}: browsers do not run it, unless a consent tool changes that when visitors agree.`,
          'Take the type out of the line: without cookies the tracker needs no such consent. See docs/privacy.md.',
        ),
  ]
}

const policyStep = ({ url, tag, policies }: Page): Step[] => {
  const directive = blockedBy(policies, { kind: 'script', url: tag.src, nonce: tag.attributes.nonce }, url)
  return directive === null
    ? []
    : [
        failed(
          `The page's Content-Security-Policy keeps the tracker away: ${directive}`,
          `Add ${new URL(tag.src).origin} to its script-src.`,
        ),
      ]
}

/** Loads the page and looks for the tracker's line, and whether browsers run it. */
export const findTag = async (
  address: string,
  trackerPaths: readonly string[],
  patience: Patience,
): Promise<Found<Page>> => {
  const loaded = await load(address, patience, {
    headers: { accept: 'text/html', 'user-agent': 'footfall-check' },
  }).catch((error: unknown) => explain(error, patience))
  if ('reason' in loaded) return ended(`The page ${address} cannot be loaded: ${loaded.reason}.`, loaded.fix)
  const { answer, text, cut } = loaded
  if (!answer.ok)
    return ended(
      `The page ${address} answers ${answer.status}.`,
      'Name the address of a page that visitors can see without logging in.',
    )
  if (!isHtml(answer))
    return ended(`${address} is no page, but ${answer.headers.get('content-type')}.`, 'Name the address of a page.')
  const elements = elementsOf(text)
  const tag = scriptsOf(elements, answer.url).find(one => isTracker(one, trackerPaths))
  if (tag === undefined) {
    return ended(
      `The tracker's line is not ${cut ? `in the first ${patience.bytes / 2 ** 20} MiB of` : 'on'} the page ${answer.url}.`,
      `Put it before </head>: <script defer src="https://…${trackerPaths[0]}"></script>. If it is there, empty the site's cache; a consent tool may also hold it back.`,
    )
  }
  const page = {
    url: answer.url,
    tag,
    policies: [answer.headers.get('content-security-policy') ?? '', ...metaPolicies(elements)],
  }
  const wrong = [...typeStep(tag), ...policyStep(page)]
  const found = right(
    `The tracker's line is on the page${answer.redirected ? ` ${answer.url}, to which ${address} leads` : ''}, and names ${tag.src}.`,
  )
  return { steps: [found, ...wrong], value: wrong.length > 0 ? null : page }
}

/** What keeps browsers from sending to the API. */
export const barriers = ({ url, policies }: Page, api: string): Step[] => {
  if (url.startsWith('https:') && api.startsWith('http:'))
    return [
      failed(
        'The page is served by https, the service by http: browsers block that.',
        'Put the service behind https, by the proxy of the site.',
      ),
    ]
  const directive = blockedBy(policies, { kind: 'connect', url: `${api}/hit` }, url)
  return directive === null
    ? []
    : [
        failed(
          `The page's Content-Security-Policy lets no hit out: ${directive}`,
          `Add ${new URL(api).origin} to its connect-src.`,
        ),
      ]
}
