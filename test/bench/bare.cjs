// The limit: node:http and nothing else. A POST is read to its end and answered with 204; GET /bytes/N gives N bytes
// as JSON. CommonJS, since that starts sooner than a module: a limit must not be easy to reach.
const { createServer } = require('node:http')

const answers = new Map()
const answerOf = size => {
  if (!answers.has(size)) answers.set(size, JSON.stringify('x'.repeat(Math.max(0, size - 2))))
  return answers.get(size)
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const text = answerOf(Number(request.url.slice('/bytes/'.length)) || 0)
    response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8', 'content-length': text.length })
    response.end(text)
    return
  }
  request.on('data', () => {})
  request.on('end', () => {
    response.writeHead(204)
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`))
process.on('SIGTERM', () => process.exit())
