// Chromium for tests, driven by playwright-core: Debian's at /usr/bin/chromium, or the one that $CHROMIUM names.
import { chromium, type Browser } from 'playwright-core'

export type BrowserOptions = {
  /** Leaves `navigator.webdriver` true, as a driven browser has it; the tracker sends nothing then. */
  confessed?: boolean
}

const quiet = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--no-proxy-server',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
]

/** `http://anything.test` is this machine: hosts of their own, and insecure ones, as in life. */
const hosts = '--host-resolver-rules=MAP *.test 127.0.0.1'

/** Starts a headless browser, with a back-forward cache, which playwright switches off by itself. */
export const launchBrowser = ({ confessed = false }: BrowserOptions = {}): Promise<Browser> => chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [...quiet, hosts, ...confessed ? [] : ['--disable-blink-features=AutomationControlled']],
  ignoreDefaultArgs: ['--disable-back-forward-cache'],
  headless: true,
})

/** Runs something with a browser of its own. */
export const withBrowser = async <T>(run: (browser: Browser) => Promise<T>, options?: BrowserOptions): Promise<T> => {
  const browser = await launchBrowser(options)
  try {
    return await run(browser)
  } finally {
    await browser.close()
  }
}
