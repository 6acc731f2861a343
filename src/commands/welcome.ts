import type { Service } from '../service/service.ts'

/** What the first start says, once: who may log in, and what to put into the pages. */
export const welcome = ({ firstRun, trackerTag }: Pick<Service, 'firstRun' | 'trackerTag'>): string[] =>
  firstRun === null
    ? []
    : [
        'Welcome to Footfall. This is its first start, and all this is shown only now.',
        '',
        'Log in with a browser by this link; it works once, within an hour:',
        '',
        `  ${firstRun.loginUrl}`,
        '',
        'or, later on, with:',
        '',
        `  login     ${firstRun.login}`,
        `  password  ${firstRun.password ?? 'the one in FOOTFALL_ADMIN_PASSWORD'}`,
        '',
        "Paste this line into your site's pages, before </head>:",
        '',
        `  ${trackerTag}`,
        '',
      ]
