// A disk of its own for a test, which can be filled.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { withFolder } from './folder.ts'

/** For a test that needs the right to mount. */
export const mountDisk = (path: string, mebibytes: number): void => {
  mkdirSync(path)
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path])
  assert.is(status, 0, String(stderr))
}

export const unmount = (path: string): void => {
  spawnSync('umount', ['-l', path])
}

/** Runs `work` with a folder on a disk of so many MiB. */
export const withSmallDisk = (mebibytes: number, work: (folder: string) => void | Promise<void>): Promise<void> =>
  withFolder(async folder => {
    const disk = join(folder, 'disk')
    mountDisk(disk, mebibytes)
    try {
      await work(disk)
    } finally {
      unmount(disk)
    }
  })
