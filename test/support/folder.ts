import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `work` with a temporary folder and deletes it afterwards. */
export const withFolder = async <T = void>(work: (path: string) => T | Promise<T>): Promise<T> => {
  const path = mkdtempSync(join(tmpdir(), 'footfall-test-'))
  try {
    return await work(path)
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}
