// A task that is asked for when the service has stopped: it fails, and starts no thread that nobody ends.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createTaskThread } from '../../src/maintenance/thread.ts'
import { withFolder } from '../support/folder.ts'

test('after the stop a task fails, whether the thread had run or not', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    openDatabase(file).db.close()
    for (const hasRun of [false, true]) {
      const thread = createTaskThread(file, 'UTC')
      if (hasRun) await thread.optimize()
      await thread.close()
      const outcome = await thread.optimize().catch((error: Error) => error.message)
      assert.is(outcome, 'The service is stopping.')
      assert.not.ok(thread.isRunning())
    }
  }))

test.run()
