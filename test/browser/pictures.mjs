// Takes the pictures of docs/ from the built program with a demonstration year: `npm run pictures [FILE]`.
// Without a FILE that `footfall demo` has filled, one is filled for it.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const program = process.env.FOOTFALL ?? 'dist/footfall'
const password = 'a password for pictures'

/** Whole months: today would end in a point that is not over. */
const pictures = [
  { name: 'overview', query: '?period=last_month', colorScheme: 'light', height: 1500 },
  { name: 'dark', query: '?period=12m&places_tab=country&devices_tab=browser', colorScheme: 'dark', height: 1500 },
  { name: 'revenue', query: '?view=revenue&period=last_month', colorScheme: 'light', height: 1330 },
  { name: 'ask', query: '?view=ask&period=last_month', colorScheme: 'light', height: 1330 },
]

const folder = mkdtempSync(join(tmpdir(), 'footfall-pictures-'))
const file = process.argv[2] ?? join(folder, 'year.db')
if (process.argv[2] === undefined) {
  const { status } = spawnSync(program, ['demo', '--data', file, '--timezone', 'Europe/Berlin'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

const service = spawn(program, ['serve', '--data', file, '--port', '0'], {
  env: { ...process.env, FOOTFALL_ADMIN_PASSWORD: password },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const url = await new Promise((ready, failed) => {
  let said = ''
  service.stdout.on('data', text => {
    said += text
    const [, found] = /listening on (http:\S+)/.exec(said) ?? []
    if (found !== undefined) ready(found)
  })
  service.on('exit', code => failed(new Error(`The service ended with ${code}.`)))
})

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-proxy-server'],
})
try {
  for (const { name, query, colorScheme, height } of pictures) {
    const page = await browser.newPage({
      locale: 'en-GB',
      colorScheme,
      reducedMotion: 'reduce',
      viewport: { width: 1280, height },
    })
    await page.goto(`${url}/${query}`)
    await page.fill('[name=login]', 'admin')
    await page.fill('[name=password]', password)
    await page.click('button[type=submit]')
    await page.waitForSelector('main section')
    await page.waitForLoadState('networkidle')
    await page.waitForFunction('document.querySelector(".loading") === null')
    await page.screenshot({ path: `docs/dashboard-${name}.jpg`, type: 'jpeg', quality: 80 })
    await page.close()
    console.log(`docs/dashboard-${name}.jpg`)
  }
} finally {
  await browser.close()
  service.removeAllListeners('exit')
  const ended = new Promise(done => service.on('exit', done))
  service.kill()
  await ended
  rmSync(folder, { recursive: true })
}
