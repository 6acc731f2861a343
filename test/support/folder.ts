import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Work in a folder of its own, which is gone afterwards. */
export const withFolder = async (work: (path: string) => void | Promise<void>): Promise<void> => {
  const path = mkdtempSync(join(tmpdir(), 'footfall-test-'))
  try {
    await work(path)
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}
