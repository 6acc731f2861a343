import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Bytes of the disk of a file. */
export type Disk = { free: number; size: number }

export const diskOf = (path: string): Disk => {
  const { bsize, bavail, blocks } = statfsSync(dirname(path))
  return { free: bavail * bsize, size: blocks * bsize }
}
