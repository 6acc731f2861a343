// Where else visits that look automated are told of: answers of the advisor, alerts, data notes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { type Running, withService } from '../support/service.ts'
import { machine, person, putBots } from '../support/suspects.ts'

const flags = { trustProxy: '127.0.0.1' }
const json = { 'content-type': 'application/json' }

const answers = async ({ api, clock }: Running, ids: readonly string[], lang: string): Promise<any[]> => {
  const today = new Date(clock.now).toISOString().slice(0, 10)
  const body = JSON.stringify({ ids, from: today, to: today, lang })
  return (await api('/advisor/answers', { method: 'POST', headers: json, body })).body.answers
}
const summaries = async (running: Running, lang: string): Promise<string[]> =>
  // Languages put spaces of several kinds before a sign.
  (await answers(running, ['q22', 'q92'], lang)).map(({ summary }) => summary.replace(/\s/g, ' '))

test('the questions on bots are answered from visits that look automated as well', () =>
  withService({ flags }, async running => {
    for (const index of [1, 2, 3]) await person(running, '/', `198.51.${index}.1`)
    await running.settled()
    assert.equal(await summaries(running, 'en'), ['No bots were kept out.', 'None of the 3 requests came from a bot.'])
    await machine(running, '/', '192.0.1.1')
    await running.settled()
    assert.equal(await summaries(running, 'en'), [
      'No bots were kept out. 1 of 4 visits (25%) looks automated and is in the figures.',
      'None of the 4 requests came from a bot. 1 of 4 visits (25%) looks automated and is in the figures.',
    ])
    await machine(running, '/', '192.0.2.1')
    await putBots(running, { suspects: 'leave_out' })
    await running.settled()
    for (const [lang, said] of [
      ['en', '2 of 5 visits (40%) look automated and are left out.'],
      ['de', '2 von 5 Besuchen (40 %) sehen automatisch aus und zählen nicht mit.'],
      ['fr', '2 visites sur 5 (40 %) semblent automatisées et sont exclues.'],
      ['es', '2 de 5 visitas (40 %) parecen automáticas y están excluidas.'],
    ] as const)
      for (const summary of await summaries(running, lang)) assert.ok(summary.endsWith(`. ${said}`), summary)
    const [tile] = await answers(running, ['q22'], 'en')
    assert.equal([tile.viz.value, tile.source.endpoint], [0, '/refusals'])
  }))

test('the rows of the dimension have a name in each language', () =>
  withService({ flags }, async running => {
    await person(running, '/', '198.51.1.1')
    await machine(running, '/', '192.0.1.1')
    await running.settled()
    for (const [lang, people, suspect] of [
      ['en', 'People', 'Look automated'],
      ['de', 'Menschen', 'Sehen automatisch aus'],
      ['fr', 'Personnes', 'Semblent automatisées'],
      ['es', 'Personas', 'Parecen automáticas'],
      ['pt', 'people', 'suspect'],
    ] as const) {
      const { body } = await running.api(`/dimensions/suspect?from=2026-03-10&to=2026-03-10&lang=${lang}`)
      assert.equal(
        body.data.map((row: { key: string; name: string }) => [row.key, row.name]),
        [
          ['people', people],
          ['suspect', suspect],
        ],
      )
    }
  }))

const look = async (running: Running): Promise<string> => {
  await running.settled()
  const { body } = await running.api('/cron/run', { method: 'POST', headers: json, body: '{"jobs":["alerts"]}' })
  return body.jobs[0].message
}

test('a spike of visits that look automated is told as such, and is over once they are left out', () =>
  withFolder(folder => {
    const out = join(folder, 'told.txt')
    const begin = { start: '2026-02-01T12:00:00Z', flags: { ...flags, lang: 'en', alertCommand: `cat >> ${out}` } }
    return withService(begin, async running => {
      const { api, clock } = running
      const anomaly = async () => (await answers(running, ['q11'], 'en')).map(({ viz }) => viz.detected)
      await api('/alerts', {
        method: 'PUT',
        headers: json,
        body: '{"spike":{"enabled":true},"silent":{"enabled":false}}',
      })
      for (let day = 0; day < 37; day++) {
        clock.now = Date.parse('2026-02-01T12:00:00Z') + day * 86_400_000
        for (let index = 1; index <= 5; index++) await person(running, '/', `198.51.${index}.1`)
      }
      for (let index = 1; index <= 40; index++) await machine(running, '/', `192.0.${index}.1`)
      assert.match(await look(running), /raised: 1\. Messages sent: 1/)
      const told = readFileSync(out, 'utf8')
      assert.match(told, /^Visitors on March 9, 2026: 45\. Usual on this weekday: 5\. 40 of them look automated\.$/m)
      assert.match(told, /^The System page of the dashboard says why they look automated/m)
      const [raised] = (await api('/alerts/history')).body
      assert.is(raised.values.suspect, 40)
      assert.equal(await anomaly(), [true])
      await putBots(running, { suspects: 'leave_out' })
      assert.match(await look(running), /raised: 0\. Messages sent: 1/)
      assert.equal(await anomaly(), [false])
    })
  }))

test('days at the end of a week with more than 10 % of such visits are noted, while they are counted', () =>
  withService({ start: '2026-02-22T12:00:00Z', flags }, async running => {
    const { api, clock } = running
    const notes = async (query = 'from=2026-02-20&to=2026-03-20') =>
      (await api(`/annotations?${query}`)).body.data.filter(({ kind }: { kind: string }) => kind === 'suspect')
    const day = async (people: number, machines: number): Promise<void> => {
      for (let index = 1; index <= people; index++) await person(running, '/', `198.51.${index}.1`)
      for (let index = 1; index <= machines; index++) await machine(running, '/', `192.0.${index}.1`)
      clock.now += 86_400_000
    }
    for (let number = 0; number < 7; number++) await day(9, 1)
    await running.settled()
    assert.equal(await notes(), [], 'a tenth is not more than it')
    await day(9, 2)
    for (let number = 0; number < 7; number++) await day(9, 0)
    await running.settled()
    const [note, ...more] = await notes()
    assert.equal([note.day, note.until, note.automatic, more], ['2026-03-01', null, true, []])
    assert.match(note.text, /^More than 10 % of the visits of seven days look automated, and are counted/)
    assert.match((await notes('from=2026-02-20&to=2026-03-20&lang=de'))[0].text, /^Mehr als 10 % der Besuche/)
    assert.equal(await notes('from=2026-03-08&to=2026-03-20'), [])
    await putBots(running, { suspects: 'leave_out' })
    await running.settled()
    assert.equal(await notes(), [])
  }))

test.run()
