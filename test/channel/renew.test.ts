// The script that renews the list of spam hosts, against a server of our own.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { keepOpen } from '../support/keep-open.ts'

type Renew = (from?: string, to?: string) => Promise<{ added: string[]; removed: string[] }>

const tenth = Array.from({ length: 9 }, (_, at) => `n${at}.example\n`).join('')
const before = `# Spam.\na.example\n${tenth}`

type Outcome = { text: string; error?: string; result?: unknown }

/** Renews a file from a server that answers with the list, and returns what the file holds then. */
const renewed = async (list: string, status = 200): Promise<Outcome> => {
  const { renew } = (await import(`${process.cwd()}/renew-lists.mjs`)) as { renew: Renew }
  const server = createServer((_, response) => response.writeHead(status).end(list))
  await new Promise<void>(resolve => {
    keepOpen(server).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  let outcome: Outcome = { text: '' }
  await withFolder(async path => {
    const file = join(path, 'spam.txt')
    writeFileSync(file, before)
    const told = await renew(`http://127.0.0.1:${port}/spammers.txt`, file).then(
      result => ({ result }),
      error => ({ error: String(error) }),
    )
    outcome = { ...told, text: readFileSync(file, 'utf8') }
  })
  server.close()
  return outcome
}

test('the hosts are replaced, in lower case and sorted, and the comments stay', async () => {
  const { text, result } = await renewed(`z.example\r\nB.example\n\na.example\nz.example\n${tenth}`)
  assert.is(text, `# Spam.\na.example\nb.example\n${tenth}z.example\n`)
  assert.equal(result, { added: ['b.example', 'z.example'], removed: [] })
})

test('hosts that were removed are listed', async () => {
  const { text, result } = await renewed(`${tenth}z.example\n`)
  assert.is(text, `# Spam.\n${tenth}z.example\n`)
  assert.equal(result, { added: ['z.example'], removed: ['a.example'] })
})

test('an answer that is no list leaves the file alone', async () => {
  for (const [list, status, reason] of [
    ['<html>\nsorry\n', 200, /no host: <html>/],
    [`a.example\n${tenth}just one word\n`, 200, /no host: just one word/],
    ['a.example\n', 200, /9 of 10 hosts would go/],
    [`a.example\n${tenth.replaceAll('n', 'm')}`, 200, /9 of 10 hosts would go/],
    ['', 200, /10 of 10 hosts would go/],
    [`a.example\n${tenth}`, 404, /answered 404/],
  ] as const) {
    const { text, error = '' } = await renewed(list, status)
    assert.is(text, before)
    assert.match(error, reason)
  }
})

test('a list that cannot be fetched is one line, and exit code 1', async () => {
  await withFolder(async path => {
    const file = join(path, 'spam.txt')
    writeFileSync(file, before)
    const child = spawn(process.execPath, ['renew-lists.mjs', 'http://127.0.0.1:1/spammers.txt', file])
    let told = ''
    child.stderr.on('data', text => {
      told += text
    })
    const code = await new Promise(resolve => child.on('close', resolve))
    assert.is(code, 1)
    assert.match(told, /^\S+spam\.txt was left as it is\. http:\S+: .*\n$/)
    assert.is(readFileSync(file, 'utf8'), before)
  })
})

test.run()
