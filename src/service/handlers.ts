import script from 'browser:dashboard'
import style from 'browser:dashboard.css'
import flags from 'browser:flags'
import de from 'browser:texts-de'
import en from 'browser:texts-en'
import es from 'browser:texts-es'
import fr from 'browser:texts-fr'
import trackerScript from 'browser:tracker'
import coreScript from 'browser:tracker.core'
import world from 'browser:world'
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { version } from '../../package.json'
import { createCollectionHandler } from '../collection/handler.ts'
import { createIntake } from '../collection/http.ts'
import { readQuery } from '../collection/ingest/page.ts'
import page from '../dashboard/dashboard.html'
import { createWriteProbe, isHealthy } from '../database/probe.ts'
import { endpoints } from '../endpoints/index.ts'
import { documentOf } from '../http/documents.ts'
import { createHealthHandler } from '../http/health.ts'
import { framedHeaders, pageHeaders } from '../http/page-headers.ts'
import { createReferenceHandler } from '../http/reference/handler.ts'
import { securityTxt } from '../http/security-txt.ts'
import { atPaths, belowPath, createRequestIds, type Handler } from '../http/server.ts'
import {
  assetFile,
  corePath,
  type StaticFile,
  serveStatic,
  staticFile,
  trackerFile,
  trackerPaths,
} from '../http/static.ts'
import type { ShareLinks } from '../identity/share-links.ts'
import { errorText } from '../lib/errors.ts'
import { lazy } from '../lib/lazy.ts'
import { languageNames } from '../lib/texts.ts'
import { shownNames } from '../lib/value-names.ts'
import { readAsset } from '../runtime/assets.ts'
import { createApiHandler, type HttpOptions, type Shared } from './api.ts'
import type { Base } from './storage.ts'

/** No third-party resources, no inline code. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "form-action 'none'",
]

const headers = { 'cache-control': 'no-cache', ...pageHeaders(policy) }
const html = 'text/html; charset=utf-8'

const texts = { en, de, fr, es }

/** Adds entries to a JSON object without reading it. */
const withNames = (json: string, names: object): string => `${json.slice(0, -1)},${JSON.stringify(names).slice(1)}`

const assets: readonly { name: string; text: string; type: string }[] = [
  { name: 'dashboard.js', text: script, type: 'text/javascript; charset=utf-8' },
  { name: 'dashboard.css', text: style, type: 'text/css; charset=utf-8' },
  { name: 'world.json', text: world, type: 'application/json' },
  { name: 'flags.json', text: flags, type: 'application/json' },
  ...languageNames.map(language => ({
    name: `texts-${language}.json`,
    text: withNames(texts[language], shownNames(language)),
    type: 'application/json',
  })),
]

/** The URL of an asset contains a hash of its content, so that browsers may cache it forever. */
const urlOf = (name: string, text: string): string =>
  `${name}?v=${createHash('sha256').update(text).digest('hex').slice(0, 12)}`

const assetUrls = lazy(() => assets.map(({ name, text }) => [name, urlOf(name, text)] as const))

/** The page of the dashboard. `up` leads from its folder to the root: '' or `../`. */
const homePage = (root: string, api: string, up: string): string => {
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(assetUrls().map(([name, url]) => [name, up + url])),
    api: up + posix.relative(root === '' ? '/' : root, api),
    framed: up === '' ? '' : ' data-framed',
  }
  return page.replace(/\{\{([\w.-]+)\}\}/g, (_, name: string) => values[name] ?? '')
}

/**
 * The dashboard of a share link at `{root}/frame/{id}`, for pages of the origins that the link names; the token is in the
 * fragment, as everywhere.
 */
const createFrames = (root: string, api: string, shareLinks: ShareLinks): Handler => {
  const text = homePage(root, api, '../')
  return belowPath(`${root}/frame/`, id => (request, response) => {
    const origins = shareLinks.shown(id)?.frame ?? []
    if (origins.length === 0) return false
    const framed = { 'cache-control': 'no-cache', ...framedHeaders(policy, origins) }
    return serveStatic(() => staticFile(text, html, framed))(request, response)
  })
}

/** The dashboard at `{root}/` with its assets. They contain no data: figures come from the API after login. */
const homeFiles = (root: string, api: string): Map<string, StaticFile> =>
  new Map([
    [`${root}/`, staticFile(homePage(root, api, ''), html, headers)],
    [
      `${root}/licenses.txt`,
      staticFile(readAsset('THIRD_PARTY.md').toString(), 'text/plain; charset=utf-8', {
        'cache-control': 'no-cache',
        'x-robots-tag': 'noindex',
      }),
    ],
    ...assets.map(({ name, text, type }): [string, StaticFile] => [
      `${root}/${name}`,
      assetFile(text, type, { 'cache-control': 'public, max-age=31536000, immutable' }),
    ]),
  ])

/** Where the API is. */
const apiPath = ({ rootPath, basePath }: Pick<Base['config'], 'rootPath' | 'basePath'>): string =>
  `${rootPath}${basePath}/analytics/v1`

/** The dashboard and the tracker, by path. */
const staticFiles = (config: Base['config']): Map<string, StaticFile> => {
  const { rootPath, trackerPath, keepQuery } = config
  const api = apiPath(config)
  const trackers = trackerPaths(trackerPath).flatMap(path => [
    [`${rootPath}${path}`, trackerScript] as const,
    [`${rootPath}${corePath(path)}`, coreScript] as const,
  ])
  return new Map([
    ...homeFiles(rootPath, api),
    ...trackers.map(([path, script]): [string, StaticFile] => [
      path,
      trackerFile(script, path, api, readQuery(keepQuery)),
    ]),
  ])
}

/** The handlers of the server, in order of precedence. */
export const createHandlers = (base: Base, options: HttpOptions): Handler[] => {
  const { db, clock, zone, config, log, fileIdentity } = base
  const { collection, identity, traffic } = options
  const { collector } = collection
  const shared: Shared = {
    trusted: options.trusted,
    intake: createIntake({
      clock,
      zone,
      collector,
      limits: { hit: config.throttleHits, event: config.throttleHits, engagement: config.throttleEngagement },
      tokenRoles: identity.tokenRoles,
    }),
    requestId: createRequestIds(),
    logBug: ({ requestId, route, error }) =>
      log.error('a request failed', { request_id: requestId, route, reason: errorText(error) }),
  }
  const { queue } = collector
  const isWritable = createWriteProbe(db)
  return [
    createCollectionHandler({
      base: config.rootPath + config.basePath,
      // Lists of content blockers have /pixel.gif.
      pixelPaths: ['/noscript.gif', '/pixel.gif'].map(path => `${config.rootPath}${path}`),
      plausiblePath: config.plausibleApi ? `${config.rootPath}/api/event` : null,
      collector,
      intake: shared.intake,
      trusted: shared.trusted,
      mayCollect: identity.mayCollect,
      requestId: shared.requestId,
      log: shared.logBug,
      onResponse: traffic.collection.observe,
    }),
    atPaths(
      new Map([
        [
          `${config.rootPath}/healthz`,
          createHealthHandler(() => fileIdentity.isKept() && isHealthy(db) && queue.isSynced() && isWritable()),
        ],
        ...[...staticFiles(config)].map(([path, file]): [string, Handler] => [path, serveStatic(() => file)]),
        [
          `${apiPath(config)}/docs`,
          createReferenceHandler(() => documentOf(endpoints, config.rootPath + config.basePath, version)),
        ],
        ...(config.securityContact === null ? [] : securityTxt(config.rootPath, config.securityContact, clock)),
      ]),
    ),
    createFrames(config.rootPath, apiPath(config), identity.shareLinks),
    createApiHandler(base, options, shared),
  ]
}
