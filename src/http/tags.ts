/** The groups of the API reference in its order, by what a reader wants to do. */
export const tags = {
  Collection:
    'What pages send, and what a CMS says about them. Open to every browser; trackers and the WordPress plugin call it. ' +
    'A request with the user agent of curl counts as that of a bot.',
  Reports: 'Visits: totals, pages, sources, campaigns, events, dimensions, paths, and who is on the site now.',
  Revenue: 'Orders of a shop: how they get in, and what they add up to.',
  Advisor: 'Questions in plain words, answered from the reports.',
  'Goals and funnels': 'What visits come to, and where they are lost. Counted also on days before they were made.',
  'Segments and annotations': 'Saved filters, and notes on days.',
  Settings: 'What is collected and for how long.',
  'Users and access': 'Logins, users, application passwords, second factor, share links, and who did what.',
  Operation: 'The state of the service: diagnostics, jobs, imports, metrics, and the documents of this API.',
} as const

export type Tag = keyof typeof tags
