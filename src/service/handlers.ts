import trackerScript from 'browser:tracker'
import { version } from '../../package.json'
import { createCollectionHandler } from '../collection/handler.ts'
import { readQuery } from '../collection/ingest/page.ts'
import { createWriteProbe, isHealthy } from '../database/probe.ts'
import { endpoints } from '../endpoints/index.ts'
import { documentOf } from '../http/documents.ts'
import { createHealthHandler } from '../http/health.ts'
import { createReferenceHandler } from '../http/reference/handler.ts'
import { securityTxt } from '../http/security-txt.ts'
import { atPaths, createRequestIds, type Handler } from '../http/server.ts'
import { type StaticFile, serveStatic, trackerFile } from '../http/static.ts'
import { errorText } from '../lib/errors.ts'
import { createApiHandler, type HttpOptions, type Shared } from './api.ts'
import { homeFiles } from './home-page.ts'
import type { Base } from './storage.ts'

/** The dashboard and the tracker, by path. */
const staticFiles = ({ rootPath, basePath, trackerPath, keepQuery }: Base['config']): Map<string, StaticFile> => {
  const api = `${rootPath}${basePath}/analytics/v1`
  const trackers = [...new Set([trackerPath, '/tracker.js'])].map(path => `${rootPath}${path}`)
  return new Map([
    ...homeFiles(rootPath, api),
    ...trackers.map((path): [string, StaticFile] => [
      path,
      trackerFile(trackerScript, path, api, readQuery(keepQuery)),
    ]),
  ])
}

/** The handlers of the server, in order of precedence. */
export const createHandlers = (base: Base, options: HttpOptions): Handler[] => {
  const { db, clock, zone, config, log, fileIdentity } = base
  const { collection, identity, traffic } = options
  const shared: Shared = {
    trusted: options.trusted,
    requestId: createRequestIds(),
    logBug: ({ requestId, route, error }) =>
      log.error('a request failed', { request_id: requestId, route, reason: errorText(error) }),
  }
  const { queue } = collection.collector
  const isWritable = createWriteProbe(db)
  return [
    createCollectionHandler({
      base: config.rootPath + config.basePath,
      // Lists of content blockers have /pixel.gif.
      pixelPaths: ['/noscript.gif', '/pixel.gif'].map(path => `${config.rootPath}${path}`),
      clock,
      zone,
      collector: collection.collector,
      limits: { hit: config.throttleHits, event: config.throttleHits, engagement: config.throttleEngagement },
      trusted: shared.trusted,
      tokenRoles: identity.tokenRoles,
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
          `${config.rootPath}${config.basePath}/analytics/v1/docs`,
          createReferenceHandler(() => documentOf(endpoints, config.rootPath + config.basePath, version)),
        ],
        ...(config.securityContact === null ? [] : securityTxt(config.rootPath, config.securityContact, clock)),
      ]),
    ),
    createApiHandler(base, options, shared),
  ]
}
