// All that a release consists of, in dist/packages: `npm run release`, or `npm run release -- x64` for one architecture. The workflows
// in .github and .forgejo do this on a tag, and nothing more than to keep what it made.
// Beside what package.mjs and image.mjs make: the documents as pages; the notes, from CHANGELOG.md; from which commit what was made, as an in-toto statement; and
// the checksums of all.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dist, root } from '../bundle.mjs'
import { sha256, writeChecksums } from './checksums.mjs'
import { packFolder } from './tarball.mjs'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const packages = join(dist, 'packages')

/** The section of this version, without its heading; it has a day once it is tagged. */
const notesOf = isTagged => {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m)
  const day = isTagged ? '\\d{4}-\\d\\d-\\d\\d' : '(?:\\d{4}-\\d\\d-\\d\\d|Unreleased)'
  const section = sections.find(text => new RegExp(`^${version.replaceAll('.', '\\.')} - ${day}\n`).test(text))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section '## ${version} - YYYY-MM-DD'.`)
  return section.slice(section.indexOf('\n')).trim()
}

/** A runner says it; git refuses to tell it of a checkout that belongs to another user. */
const commit = () =>
  process.env.RELEASE_COMMIT ?? execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()

/** What was made of which commit, as https://slsa.dev/spec/v1.0/provenance says; who signs it is the workflow's affair. */
const provenance = (names, { builder, architectures }) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: names.map(name => ({ name, digest: { sha256: sha256(join(packages, name)) } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'packaging/release.mjs',
      externalParameters: { architectures },
      resolvedDependencies: [
        { name: 'source', digest: { gitCommit: commit() } },
        { name: 'package-lock.json', digest: { sha256: sha256(join(root, 'package-lock.json')) } },
      ],
    },
    runDetails: { builder: { id: builder } },
  },
})

const architectures = process.argv.slice(2)
const tag = process.env.RELEASE_TAG ?? ''
if (tag !== '' && tag !== `v${version}`) {
  console.error(`The tag is ${tag}, and package.json says ${version}: tag v${version}.`)
  process.exit(1)
}
const notes = notesOf(tag !== '')
for (const script of ['package.mjs', 'image.mjs'])
  execFileSync(process.execPath, [join(root, 'packaging', script), ...architectures], { stdio: 'inherit' })
const pages = `footfall-${version}-docs`
execFileSync(process.execPath, [join(root, 'docs.mjs'), join(dist, 'packaging', pages)], { stdio: 'inherit' })
packFolder(join(dist, 'packaging', pages), join(packages, `${pages}.tar.gz`))
const names = readdirSync(packages)
  .filter(name => name !== 'SHA256SUMS')
  .sort()
const statement = provenance(names, {
  builder: process.env.RELEASE_BUILDER ?? 'by hand',
  architectures: architectures.length > 0 ? architectures : ['x64', 'arm64'],
})
writeFileSync(join(packages, `footfall-${version}.provenance.json`), `${JSON.stringify(statement, null, 2)}\n`)
writeFileSync(join(dist, 'release-notes.md'), `${notes}\n`)
process.stdout.write(writeChecksums(packages).join(''))
