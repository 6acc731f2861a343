// Reads the rows of a file and nothing more, the limit of an import: node read-rows.mjs csv|lines FILE
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parse } from 'csv-parse'

const [, , kind, path] = process.argv
const stream = createReadStream(path)
let rows = 0
for await (const _ of kind === 'csv' ? stream.pipe(parse()) : createInterface({ input: stream })) rows += 1
console.log(rows)
