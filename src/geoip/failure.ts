/** What is needed after a failure: another key, another URL, disk space, or only time. `broken`: the file is unusable. */
export const failureKinds = ['refused', 'missing', 'later', 'disk', 'broken'] as const
export type FailureKind = (typeof failureKinds)[number]

/** A failed download. Its message never holds a URL with a key, nor text from a server. */
export class FetchFailure extends Error {
  override name = 'FetchFailure'
  readonly kind: FailureKind
  /** Seconds to wait, as the server asks. */
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

const ofDisk: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file grows larger than this process may write',
  EROFS: 'the folder of the database is read-only',
  EACCES: 'the folder of the database may not be written',
  EPERM: 'the folder of the database may not be written',
  ENOENT: 'the folder of the database is gone',
  EIO: 'the disk reports an error (EIO)',
}

/** Any error as a failure. Of an unknown one only the code is shown: the message of a fetch() error may hold a URL. */
export const asFailure = (error: unknown): FetchFailure => {
  if (error instanceof FetchFailure) return error
  const code = codeOf(error)
  const disk = ofDisk[code]
  if (disk !== undefined) return new FetchFailure('disk', disk)
  if (code.startsWith('Z_')) return new FetchFailure('broken', 'what came is no sound gzip file, or its end is missing')
  return new FetchFailure('later', `the server could not be reached, or broke off${code === '' ? '' : ` (${code})`}`)
}
