// Chromium for tests, driven by playwright-core: $CHROMIUM, or Debian's /usr/bin/chromium.
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { leftPatience, patience } from '../support/wait.ts'

export type BrowserOptions = {
  /** Leaves `navigator.webdriver` true, as in any automated browser; the tracker then sends nothing. */
  webdriver?: boolean
  /** Takes any certificate; what playwright has for it comes too late for some requests of a frame. */
  anyCertificate?: boolean
}

export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium'

const asVisitor = '--disable-blink-features=AutomationControlled'

/**
 * A headless user agent would be classified as a bot. Set for the whole browser, because a context's user agent does
 * not apply to requests sent while a page unloads.
 */
export const visitorAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Every host of .test resolves to this machine, so that each server has its own, insecure origin. */
export const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP *.test 127.0.0.1',
  `--user-agent=${visitorAgent}`,
  asVisitor,
]

/** How a headless browser starts: with the back-forward cache, which playwright disables by default. */
export const optionsOf = ({ webdriver = false, anyCertificate = false }: BrowserOptions): LaunchOptions => ({
  executablePath: chromiumPath,
  args: [
    ...switches.filter(name => !webdriver || name !== asVisitor),
    ...(anyCertificate ? ['--ignore-certificate-errors'] : []),
  ],
  ignoreDefaultArgs: ['--disable-back-forward-cache'],
  headless: true,
  timeout: patience * 1000,
})

/** Of the browser that test/run.mjs has started for all files; its contexts know nothing of each other. */
const endpoint = process.env.BROWSER_ENDPOINT ?? ''

/** A browser of all files, or one of its own if there is none or it must start in another way. */
export const launchBrowser = async (options: BrowserOptions = {}): Promise<Browser> => {
  const isShared = endpoint !== '' && Object.keys(options).length === 0
  const browser = await (isShared ? chromium.connect(endpoint) : chromium.launch(optionsOf(options)))
  return browser.on('context', context => context.setDefaultTimeout(leftPatience() * 1000))
}

/** Runs a function with a browser and closes it afterwards. */
export const withBrowser = async <T>(run: (browser: Browser) => Promise<T>, options?: BrowserOptions): Promise<T> => {
  const browser = await launchBrowser(options)
  try {
    return await run(browser)
  } finally {
    await browser.close()
  }
}
