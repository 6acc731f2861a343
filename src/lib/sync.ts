import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Waits until a file is on the disk, or, of a folder, the names in it. */
export const sync = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
