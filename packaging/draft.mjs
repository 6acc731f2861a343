// Drafts a release at a Forgejo (or Gitea) from what release.mjs has made: its notes, and every file of dist/packages. GitHub's runners
// have a program for that. FORGE_REPOSITORY is the repository's address in the API, such as https://codeberg.org/api/v1/repos/o/r.
import { openAsBlob } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const { FORGE_REPOSITORY: repository, FORGE_TOKEN: token, RELEASE_TAG: tag } = process.env
const packages = 'dist/packages'

const post = async (path, body, headers = {}) => {
  const url = `${repository}/releases${path}`
  const answer = await fetch(url, { method: 'POST', body, headers: { ...headers, authorization: `token ${token}` } })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

const notes = await readFile('dist/release-notes.md', 'utf8')
const release = { tag_name: tag, name: tag, body: notes, draft: true }
const { id } = await post('', JSON.stringify(release), { 'content-type': 'application/json' })
for (const name of (await readdir(packages)).sort()) {
  const form = new FormData()
  form.append('attachment', await openAsBlob(join(packages, name)), name)
  await post(`/${id}/assets?name=${encodeURIComponent(name)}`, form)
  console.log(name)
}
