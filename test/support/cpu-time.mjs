// Imported into each test process by test/run.mjs: at its end writes the seconds of the processor that it and the programs it has
// waited for took, to a descriptor of its own.
import { readFileSync, writeSync } from 'node:fs'

process.on('exit', () => {
  // Of proc_pid_stat(5), behind the name in brackets: utime, stime, cutime, cstime, in hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  try {
    writeSync(3, String(ticks / 100))
  } catch {
    // Started by hand.
  }
})
