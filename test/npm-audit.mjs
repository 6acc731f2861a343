// Asks the registry for known vulnerabilities of the packages in the lock file, and fails if there are any. Not every machine reaches a
// registry, and not every registry answers: then it says that nothing was checked, and does not fail. Arguments are those of `npm audit`.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'

const { stdout, error } = spawnSync('npm', ['audit', '--json', ...process.argv.slice(2)], {
  cwd: dirname(import.meta.dirname),
  encoding: 'utf8',
  maxBuffer: 64 * 2 ** 20,
})

const read = text => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
const { vulnerabilities, message } = read(stdout)

if (vulnerabilities === undefined) {
  console.log(`npm audit: NOT CHECKED, the registry does not answer (${message ?? error?.message ?? 'no reason'})`)
} else {
  const found = Object.values(vulnerabilities)
  for (const { name, severity, range, via } of found)
    console.log(
      `npm audit: ${name} ${range}, ${severity}: ${via.map(one => (typeof one === 'string' ? one : `${one.title} ${one.url}`)).join('; ')}`,
    )
  console.log(`npm audit: checked, ${found.length} packages with a known vulnerability`)
  process.exitCode = found.length > 0 ? 1 : 0
}
