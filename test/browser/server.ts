// Started by test/run.mjs: one Chromium for all test files. Prints where to connect to it, and ends with its input.
import { chromium } from 'playwright-core'
import { optionsOf } from './chromium.ts'

const server = await chromium.launchServer(optionsOf({}))
console.log(server.wsEndpoint())
process.stdin.on('end', () => void server.close()).resume()
