import { ExpectedError } from '../lib/errors.ts'

/** Kinds of failures, by what fixes them: another key, another URL, time, disk space, or (`broken`) another file. */
export const failureKinds = ['refused', 'missing', 'later', 'disk', 'broken'] as const
export type FailureKind = (typeof failureKinds)[number]

/** A failed download. Its message never contains a URL with a key, or text from a server. */
export class FetchFailure extends ExpectedError {
  override name = 'FetchFailure'
  readonly kind: FailureKind
  /** Seconds to wait, as requested by the server. */
  readonly after: number | null

  constructor(kind: FailureKind, message: string, after: number | null = null) {
    super(message)
    this.kind = kind
    this.after = after
  }
}

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : ''
}

const diskErrors: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file exceeds the size limit of this process',
  EROFS: 'the folder of the database is read-only',
  EACCES: 'the folder of the database is not writable',
  EPERM: 'the folder of the database is not writable',
  ENOENT: 'the folder of the database is gone',
  EIO: 'the disk reports an error (EIO)',
}

/** Converts any error. Only the code of an unknown error is shown, because a message of fetch() may contain a URL. */
export const asFailure = (error: unknown): FetchFailure => {
  if (error instanceof FetchFailure) return error
  const code = codeOf(error)
  const disk = diskErrors[code]
  if (disk !== undefined) return new FetchFailure('disk', disk)
  if (code.startsWith('Z_')) return new FetchFailure('broken', 'the downloaded gzip file is damaged or truncated')
  return new FetchFailure(
    'later',
    `the server could not be reached, or the connection failed${code === '' ? '' : ` (${code})`}`,
  )
}
