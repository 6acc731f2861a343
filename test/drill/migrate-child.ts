// Opens a file with more migrations than the program has, as a process of its own that can be killed or limited.

import { openDatabase } from '../../src/database/open.ts'
import { schema } from '../../src/database/schema.ts'

const [path = '', ...later] = process.argv.slice(2)
openDatabase(path, { mustExist: true, schema: { ...schema, migrations: [...schema.migrations, ...later] } }).db.close()
