// The process of one trial: `node trial.mjs NAME CONTEXT`, both from run.mjs. Prints its measurements as JSON.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { trials } from './trials.mjs'

const [name, given] = process.argv.slice(2)
const context = JSON.parse(given)
const trial = trials.find(one => one.name === name)
const folder = mkdtempSync(join(context.folder, `${name}-`))
const clean = () => rmSync(folder, { recursive: true, force: true })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
process.on('exit', clean)

const measured = await trial.run({ ...context, folder, progress: text => console.error(`  ${name}: ${text}`) })
process.stdout.write(JSON.stringify(measured), () => process.exit())
