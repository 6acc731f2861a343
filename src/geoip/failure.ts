/** What a failed fetch asks for: another key, another address, room on the disk, or only time. `broken`: what came is of no use. */
export const failureKinds = ['refused', 'missing', 'later', 'disk', 'broken'] as const
export type FailureKind = (typeof failureKinds)[number]

/** A fetch that did not bring a database. Its message never holds an address with a key, nor what a server said. */
export class FetchFailure extends Error {
  override name = 'FetchFailure'
  readonly kind: FailureKind
  /** Seconds that the server asks to wait. */
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

/** Any error as a failure. What is unknown is told by its code alone: the text of an error of fetch() may hold an address. */
export const asFailure = (error: unknown): FetchFailure => {
  if (error instanceof FetchFailure) return error
  const code = codeOf(error)
  const disk = ofDisk[code]
  if (disk !== undefined) return new FetchFailure('disk', disk)
  if (code.startsWith('Z_')) return new FetchFailure('broken', 'what came is no sound gzip file, or its end is missing')
  return new FetchFailure('later', `the server could not be reached, or broke off${code === '' ? '' : ` (${code})`}`)
}
