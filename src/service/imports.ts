// Connects imports of files, and their undo, to the service.
import { siteHosts } from '../config/config.ts'
import { createImporter, type Importer } from '../import/live/importer.ts'
import { createImports, type Imports } from '../import/live/imports.ts'
import { createUploads, type Uploads } from '../import/live/uploads.ts'
import { errorText } from '../lib/errors.ts'
import type { Refresher } from '../maintenance/refresh.ts'
import type { TaskThread } from '../maintenance/thread.ts'
import { logFailure } from '../runtime/log.ts'
import type { Base } from './storage.ts'

export type Importing = { imports: Imports; importer: Importer; uploads: Uploads }

export const wireImports = (
  { db, path, zone, config, clock, now, log }: Base,
  { thread, refresher }: { thread: TaskThread; refresher: Refresher },
): Importing => {
  const uploads = createUploads(path, clock)
  const importer = createImporter({
    db,
    path,
    timezone: zone.name,
    site: { allowedHosts: siteHosts(config), keepQuery: [...config.keepQuery].sort(), sources: config.sources },
    uploads,
    now,
    follow: refresher.schedule,
    onError: logFailure(log, 'an import'),
  })
  const imports = createImports({
    db,
    tasks: thread,
    now,
    onError: error => log.error('an import could not be undone', { reason: errorText(error) }),
  })
  return { imports, importer, uploads }
}
