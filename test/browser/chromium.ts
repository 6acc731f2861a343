// Chromium for tests, driven by playwright-core: Debian's at /usr/bin/chromium, or the one that $CHROMIUM names.
import { chromium, type Browser } from 'playwright-core'

export type BrowserOptions = {
  /** Leaves `navigator.webdriver` true, as a driven browser has it; the tracker sends nothing then. */
  confessed?: boolean
}

export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium'

const asVisitor = '--disable-blink-features=AutomationControlled'

/** As any visitor's: a headless one is taken for a robot. A context's own agent is not that of what a page sends as it goes. */
export const visitorAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** `http://anything.test` is this machine, so that each server has a host of its own, and insecure ones, as in life. */
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

/** Starts a headless browser, with the back-forward cache that playwright would switch off. */
export const launchBrowser = ({ confessed = false }: BrowserOptions = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: switches.filter(name => !confessed || name !== asVisitor),
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
