import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyFile, expect, expectIntact, expectSame, type Fixture } from '../fixture.ts'
import { contentOf, createFile, killCommand, type Scenario, timed } from './scenario.ts'

/** Concatenates the archives of all days. Their folder must not contain anything else. */
const archivesOf = (fixture: Fixture, data: string): string => {
  const folder = `${data}-archive`
  const names = readdirSync(folder).sort()
  for (const name of names) expect(/^\d{4}-\d\d-\d\d\.ndjson\.gz$/.test(name), () => `${name} is left in ${folder}`)
  const file = fixture.path('archives.ndjson.gz')
  writeFileSync(file, Buffer.concat(names.map(name => readFileSync(join(folder, name)))))
  return file
}

export const archiveScenario: Scenario = {
  name: 'archive',
  prepare: async (fixture, random, size) => {
    const full = await createFile(fixture, 'archive-full.db', size)
    await fixture.command('settings', 'set', 'retention_days=30', 'retention_mode=archive', '--data', full)
    const data = fixture.path('archive.db')
    const args = ['cron', 'archive', '--data', data]
    const begin = (): void => {
      copyFile(full, data)
      rmSync(`${data}-archive`, { recursive: true, force: true })
    }
    begin()
    const usual = await timed(() => fixture.command(...args))
    const purged = await contentOf(fixture, data)
    const expected = await contentOf(fixture, full)
    return async () => {
      begin()
      const killed = await killCommand(fixture, args, usual, random)
      expectIntact(data)
      await fixture.command(...args)
      expectSame(await contentOf(fixture, data), purged, 'a killed archive job leaves another file')
      await fixture.command('import', archivesOf(fixture, data), '--format', 'archive', '--data', data)
      expectSame(await contentOf(fixture, data), expected, 'the archives of a killed job do not restore the file')
      return Number(killed)
    }
  },
}
