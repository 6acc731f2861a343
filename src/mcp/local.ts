import { resolve } from 'node:path'
import { version } from '../../package.json'
import { type Annotations, createAnnotations } from '../annotations/annotations.ts'
import { advisorContext, advisorOptions } from '../commands/advisor-context.ts'
import type { Call } from '../commands/command.ts'
import { readOptions } from '../config/config.ts'
import { isStorageError } from '../database/errors.ts'
import { openDatabase, openToRead, translate } from '../database/open.ts'
import type { Db } from '../database/query.ts'
import { advisorEndpoints } from '../endpoints/advisor.ts'
import { advisorAsk } from '../endpoints/advisor-ask.ts'
import { annotationEndpoints } from '../endpoints/annotations.ts'
import { diagnostics } from '../endpoints/checks.ts'
import { known } from '../endpoints/known-texts.ts'
import { describeGeoip } from '../geoip/open.ts'
import type { Endpoint, Identity } from '../http/endpoint.ts'
import { storageUnavailable } from '../http/errors.ts'
import { createRouter } from '../http/router.ts'
import type { Zone } from '../lib/time.ts'
import { reportEndpoint } from '../reports/endpoint.ts'
import { reports } from '../reports/of/index.ts'
import { openForReports } from '../reports/periods.ts'
import { pathOf, requestOf, type Send } from './api.ts'

/** Anyone who may read the file may see all of it. */
const owner: Identity = {
  id: 'cli',
  login: 'cli',
  role: 'administrator',
  locale: 'en',
  userId: null,
  capabilities: ['manage_options'],
}

/** Opens the file for reading for one call, so that one that was replaced, or locked for a while, is no matter. */
const openFile = (path: string): Db => openToRead(path, openForReports)

/** Each change opens the file for writing. */
const annotationsOf = (path: string, zone: Zone, clock: Call['clock']): Annotations => {
  const write = <Result>(work: (annotations: Annotations) => Result): Result => {
    const { db } = openDatabase(path, { mustExist: true })
    try {
      return work(createAnnotations(db, zone, clock))
    } finally {
      db.close()
    }
  }
  return {
    add: (...given) => write(({ add }) => add(...given)),
    change: (...given) => write(({ change }) => change(...given)),
    remove: (...given) => write(({ remove }) => remove(...given)),
  }
}

type LocalContext = ReturnType<typeof advisorContext> & { annotations: Annotations }

const endpoints: readonly Endpoint<LocalContext>[] = [
  ...reports.map(reportEndpoint),
  ...advisorEndpoints,
  advisorAsk,
  diagnostics,
  ...annotationEndpoints,
  known,
]

type LocalOptions = Pick<Call, 'flags' | 'env' | 'clock'> & {
  /** Called with bugs. */
  onError: (where: string, error: unknown) => void
}

/** Answers by the API's own endpoints from the file at --data, while the service runs or not. */
export const createLocal = ({ onError, ...call }: LocalOptions): Send => {
  const options = readOptions([...advisorOptions, 'geoipCity'], call.flags, call.env)
  const path = resolve(options.data)
  let requests = 0
  return async (request, signal) => {
    const db = openFile(path)
    try {
      const context = advisorContext(call, db, options, onError)
      const answer = createRouter({
        base: '',
        endpoints,
        context: {
          ...context,
          attribution: () => describeGeoip(options.geoipCity, path).facts.attribution,
          annotations: annotationsOf(path, context.zone, call.clock),
        },
        identify: async () => owner,
        addressOf: () => null,
        translate: error => (isStorageError(error) ? storageUnavailable() : null),
        log: ({ route, error }) => onError(route ?? request.path, error),
        requestId: () => String(++requests),
        version,
      })
      return await answer(new Request(`http://localhost${pathOf(request)}`, { ...requestOf(request, {}), signal }))
    } catch (error) {
      throw translate(path, error)
    } finally {
      db.close()
    }
  }
}
