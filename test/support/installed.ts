// The service as the Debian package installs it on this machine, without systemd.
import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { until } from './wait.ts'

export const data = '/var/lib/footfall/footfall.db'

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
}
