// Which build is measured.
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dist } from '../../bundle.mjs'

const executable = join(dist, 'footfall')
const bundle = join(dist, 'main.cjs')

const commandOf = path => (/\.[cm]?js$/.test(path) ? [process.execPath, path] : [path])

/** The limit must run on the same Node: `npm run bench` sees to that, `node test/bench/run.mjs` need not. */
const runtimeNote = ([file, ...args]) => {
  const { stdout } = spawnSync(file, [...args, 'version'], { encoding: 'utf8' })
  const version = stdout?.match(/node (v[\d.]+)/)?.[1]
  return version === process.version
    ? []
    : [
        `the program says it runs on Node ${version}, bare node:http ran on ${process.version}: run it as "npm run bench"`,
      ]
}

const choose = wanted => {
  if (wanted !== undefined)
    return { program: commandOf(resolve(wanted)), notes: [`measured is ${wanted}, named by --program`] }
  if (!existsSync(executable))
    return {
      program: commandOf(bundle),
      notes: ['dist/footfall is not built: measured is node dist/main.cjs, whose size is that of the bundle'],
    }
  const stale = existsSync(bundle) && statSync(bundle).mtimeMs > statSync(executable).mtimeMs
  return {
    program: [executable],
    notes: stale ? ['dist/footfall is older than dist/main.cjs: run "npm run build"'] : [],
  }
}

/**
 * Has the system read the program from the disk again, as after a start of the machine: of a file that was just built
 * it may have pages of several sizes at hand, and map up to 20 MiB more of it into each process.
 */
const dropFromCache = file => {
  const handle = openSync(file, 'r')
  fsyncSync(handle)
  closeSync(handle)
  const { status } = spawnSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none'])
  return status === 0
    ? []
    : [
        "there is no dd that takes a file out of the system's cache: memory is up to 20 MiB more where the program was just built",
      ]
}

/** The command that starts it, and what the reader should know about it. */
export const chooseProgram = wanted => {
  const { program, notes } = choose(wanted)
  return { program, notes: [...notes, ...dropFromCache(program.at(-1)), ...runtimeNote(program)] }
}
