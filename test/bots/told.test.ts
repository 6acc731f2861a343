// Where else visits that look automated are told of: answers of the advisor, alerts, data notes.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'
import { machine, person, putBots } from '../support/suspects.ts'

const flags = { trustProxy: '127.0.0.1' }
const json = { 'content-type': 'application/json' }

const answers = async ({ api }: Running, ids: readonly string[], lang: string): Promise<any[]> => {
  const body = JSON.stringify({ ids, from: '2026-03-10', to: '2026-03-10', lang })
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

test.run()
