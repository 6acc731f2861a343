import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyFile, expect, expectSame, expectSound, type Stage } from '../stage.ts'
import { contentOf, killCommand, makeFile, timed, type Work } from './work.ts'

/** The archives of all days, one behind the other; nothing else may be in their folder. */
const archivesOf = (stage: Stage, data: string): string => {
  const folder = `${data}-archive`
  const names = readdirSync(folder).sort()
  for (const name of names) expect(/^\d{4}-\d\d-\d\d\.ndjson\.gz$/.test(name), () => `${name} is left in ${folder}`)
  const file = stage.path('archives.ndjson.gz')
  writeFileSync(file, Buffer.concat(names.map(name => readFileSync(join(folder, name)))))
  return file
}

export const archiveWork: Work = {
  name: 'archive',
  prepare: async (stage, dice, size) => {
    const full = await makeFile(stage, 'archive-full.db', size)
    await stage.command('settings', 'set', 'retention_days=30', 'retention_mode=archive', '--data', full)
    const data = stage.path('archive.db')
    const args = ['cron', 'archive', '--data', data]
    const begin = (): void => {
      copyFile(full, data)
      rmSync(`${data}-archive`, { recursive: true, force: true })
    }
    begin()
    const usual = await timed(() => stage.command(...args))
    const purged = await contentOf(stage, data)
    const expected = await contentOf(stage, full)
    return async () => {
      begin()
      const killed = await killCommand(stage, args, usual, dice)
      expectSound(data)
      await stage.command(...args)
      expectSame(
        await contentOf(stage, data),
        purged,
        'days that were put away by a job that was killed leave another file',
      )
      await stage.command('import', archivesOf(stage, data), '--format', 'archive', '--data', data)
      expectSame(
        await contentOf(stage, data),
        expected,
        'what was put away by a job that was killed does not come back whole',
      )
      return Number(killed)
    }
  },
}
