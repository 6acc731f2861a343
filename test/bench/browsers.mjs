// What visitors come with: a few browsers, by how common they are, with the headers each of them sends.

const chromium = (brand, version, platform, mobile) => ({
  'sec-ch-ua': `"Not/A)Brand";v="8", "Chromium";v="${version}", "${brand}";v="${version}"`,
  'sec-ch-ua-mobile': mobile ? '?1' : '?0',
  'sec-ch-ua-platform': `"${platform}"`,
})
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const desktop = [1920, 1080]
const laptop = [1440, 900]
const phone = [390, 844]

export const browsers = [
  {
    weight: 22,
    screen: phone,
    agent: `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/138.0.0.0 Mobile Safari/537.36`,
    headers: chromium('Google Chrome', 138, 'Android', true),
  },
  {
    weight: 20,
    screen: phone,
    agent: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${apple} Version/18.5 Mobile/15E148 Safari/604.1`,
    headers: {},
  },
  {
    weight: 20,
    screen: desktop,
    agent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/138.0.0.0 Safari/537.36`,
    headers: chromium('Google Chrome', 138, 'Windows', false),
  },
  {
    weight: 8,
    screen: desktop,
    agent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`,
    headers: chromium('Microsoft Edge', 138, 'Windows', false),
  },
  {
    weight: 8,
    screen: laptop,
    agent: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/138.0.0.0 Safari/537.36`,
    headers: chromium('Google Chrome', 138, 'macOS', false),
  },
  {
    weight: 6,
    screen: laptop,
    agent: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${apple} Version/18.5 Safari/605.1.15`,
    headers: {},
  },
  {
    weight: 5,
    screen: desktop,
    agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    headers: {},
  },
  {
    weight: 3,
    screen: phone,
    agent: `Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) ${apple} Version/17.6 Mobile/15E148 Safari/604.1`,
    headers: {},
  },
  {
    weight: 3,
    screen: [412, 915],
    agent: `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    headers: chromium('Samsung Internet', 130, 'Android', true),
  },
  {
    weight: 2,
    screen: [820, 1180],
    agent: `Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) ${apple} Version/17.6 Mobile/15E148 Safari/604.1`,
    headers: {},
  },
  {
    weight: 2,
    screen: laptop,
    agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    headers: {},
  },
  {
    weight: 1,
    screen: desktop,
    agent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0`,
    headers: chromium('Opera', 138, 'Windows', false),
  },
]
