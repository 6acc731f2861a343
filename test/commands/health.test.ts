// `footfall health`, for containers: what it says of a service that is well, of one that lost its file, and of none.
import { renameSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfall, start, temporaryFolder } from '../support/program.ts'
import { until } from '../support/wait.ts'

const folder = temporaryFolder()
test.after(folder.remove)

const unused = { status: 1, stdout: '', stderr: 'Nothing answers at http://[::1]:1/healthz.\n' }

test('a service is asked where it listens, and says whether it can write', async () => {
  const data = folder.path('health.db')
  const running = await start(['--data', data, '--host', '0.0.0.0', '--root-path', '/stats'])
  try {
    const { port } = new URL(running.url)
    const env = { FOOTFALL_HOST: '0.0.0.0', FOOTFALL_PORT: port, FOOTFALL_ROOT_PATH: '/stats' }
    const url = `http://127.0.0.1:${port}/stats/healthz`
    assert.equal(footfall(['health'], { env }), { status: 0, stdout: 'The service is healthy.\n', stderr: '' })
    renameSync(data, `${data}.away`)
    await until(() =>
      assert.equal(footfall(['health'], { env }), { status: 1, stdout: '', stderr: `${url} answers 503.\n` }),
    )
  } finally {
    running.process.kill('SIGKILL')
    await running.ended
  }
})

test('where nothing listens, it says so', () =>
  assert.equal(footfall(['health', '--host', '::', '--port', '1']), unused))

test.run()
