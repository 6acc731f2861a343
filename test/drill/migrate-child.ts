// Opens a file with one migration more than the program has, as a process that the drill can kill.
import { schema } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'

const [path = '', migration = ''] = process.argv.slice(2)
openDatabase(path, { mustExist: true, schema: { ...schema, migrations: [migration] } }).db.close()
