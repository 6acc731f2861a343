// The service as the Debian package installs it on this machine, without systemd.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { until } from './wait.ts'

export const data = '/var/lib/footfall/footfall.db'

/** The process that installs for a test: a run that was ended by force leaves it, and the package. */
const mark = join(tmpdir(), 'footfall-installed-by-tests')

const isRunning = (process: string): boolean => existsSync(`/proc/${process}`)

/** Without Footfall, after what an interrupted run left has been removed; whatever else is there belongs to somebody. */
export const isMachineFree = (): boolean => {
  if (existsSync(mark) && !isRunning(readFileSync(mark, 'utf8'))) removeService()
  return !existsSync('/usr/bin/footfall') && spawnSync('getent', ['passwd', 'footfall']).status !== 0
}

/** To be called before anything is installed; `removeService` ends it. */
export const takeMachine = (): void => writeFileSync(mark, String(process.pid))

/** What systemd does by StateDirectory=. */
export const makeStateDirectory = (): void => {
  const args = ['-d', '-m', '700', '-o', 'footfall', '-g', 'footfall', '/var/lib/footfall']
  assert.is(spawnSync('install', args).status, 0)
}

/** Runs the installed service as its user, as the unit does, until `work` is done. */
export const whileServing = async (work: (url: string) => Promise<void>): Promise<void> => {
  const child = spawn(
    'runuser',
    ['-u', 'footfall', '--', 'env', `FOOTFALL_DATA=${data}`, '/usr/bin/footfall', 'serve', '--port', '0'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise(resolve => child.on('close', resolve))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  try {
    const url = await until(() => {
      const found = /^listening on (\S+)$/m.exec(output)?.[1]
      assert.ok(found)
      return found ?? ''
    }, 60)
    await work(url)
  } finally {
    // The signal goes to the service, not to runuser alone.
    spawnSync('pkill', ['-TERM', '-u', 'footfall'])
    await ended
  }
}

export const removeService = (): void => {
  spawnSync('dpkg', ['--purge', 'footfall'])
  spawnSync('userdel', ['footfall'])
  rmSync('/var/lib/footfall', { recursive: true, force: true })
  rmSync(mark, { force: true })
}
