import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `work` with a temporary folder and deletes it afterwards. */
export const withFolder = async (work: (path: string) => void | Promise<void>): Promise<void> => {
  const path = mkdtempSync(join(tmpdir(), 'footfall-test-'))
  try {
    await work(path)
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}
