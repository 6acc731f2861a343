// Packs a folder so that the same files make the same archive.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Of all files in the packages, so that the same sources build the same packages. */
export const released = new Date(Date.UTC(2026, 0, 1))
export const seconds = Math.floor(released.getTime() / 1000)

/** The folder by its name, in a .tar.gz. */
export const packFolder = (folder, archive) => {
  const owner = ['--owner=0', '--group=0', '--numeric-owner']
  const tar = ['--sort=name', ...owner, `--mtime=@${seconds}`, '-C', dirname(folder), '-cf', '-', basename(folder)]
  const input = execFileSync('tar', tar, { maxBuffer: 2 ** 30 })
  writeFileSync(archive, execFileSync('gzip', ['-6n'], { input, maxBuffer: 2 ** 30 }))
}
