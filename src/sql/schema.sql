-- Schema 12, that of version 0.1.0, which every new file begins with; never edited. Changes since are migrations in
-- src/sql/migrations, see CONTRIBUTING.md. Times are seconds since 1970; amounts are whole minor units of the currency.

-- Facts about this file: its time zone, its secret keys. One row a fact.
create table installation (
  name text primary key,
  value any not null
) strict, without rowid;

-- A random name for this file: archives say with it where their numbers come from.
insert into installation (name, value)
values ('id', lower(hex(randomblob(16))));

-- Installations whose archives were imported: to their numbers of sessions and visitors, number * 2^40 is added here.
create table archive_origin (
  installation text primary key,
  number integer not null unique
) strict, without rowid;

-- When the site's time zone was another one before, and from which day on the new one holds.
create table timezone_change (
  changed_at integer primary key,
  previous text not null,
  timezone text not null,
  first_day integer not null
) strict;

-- What the owner has set; a key that is absent has its default.
create table setting (
  name text primary key,
  value text not null check (json_valid(value))
) strict, without rowid;

-- What was done, by whom, and when: a code of src/audit/actions.ts with its values; never a secret or an address. Of
-- failed logins nobody knows who it was.
create table audit (
  id integer primary key,
  at integer not null,
  who text,
  action text not null,
  details text not null check (json_valid(details))
) strict;
create index "audit#at" on audit (at);

-- Numbers are never given again: preferences and logs name people by them.
create table user (
  id integer primary key autoincrement,
  login text not null collate nocase unique,
  role text not null,
  locale text not null,
  password_hash text not null,
  created_at integer not null
) strict;

-- Filters that are kept under a name, as an object of names and texts as in the query of a report.
create table segment (
  id integer primary key autoincrement,
  name text not null collate nocase unique,
  filters text not null check (json_valid(filters)),
  created_by text,
  created_at integer not null
) strict;

-- What visits should come to. A changed rule is a new goal, so that numbers never change their meaning.
create table goal (
  id integer primary key autoincrement,
  name text not null collate nocase unique,
  kind text not null check (kind in ('page', 'event', 'scroll', 'seconds')),
  -- Pages or event names, as in a filter.
  pattern text not null,
  -- Percent of a page, or seconds on these pages.
  threshold integer,
  property text check (json_valid(property)),
  value_from text not null check (value_from in ('none', 'fixed', 'event', 'order')),
  value real,
  position integer not null,
  created_at integer not null
) strict;

-- What a goal counted on a day whose single visits are gone, written before they go.
create table goal_day (
  goal_id integer not null references goal (id) on delete cascade,
  day integer not null check (day between 19700101 and 99991231),
  sessions integer not null,
  visitors integer not null,
  total integer not null,
  value real not null,
  -- The orders of these sessions, as a list: what they amount to can still change.
  orders text not null check (json_valid(orders)),
  primary key (goal_id, day)
) strict, without rowid;
create index "goal_day#day" on goal_day (day);

-- Steps that visits should make one after the other: a list of {kind, pattern, property}.
create table funnel (
  id integer primary key autoincrement,
  name text not null collate nocase unique,
  steps text not null check (json_valid(steps)),
  strict integer not null check (strict in (0, 1)),
  created_at integer not null
) strict;

-- How far visits came on a day whose single visits are gone, written before they go. `next` lists the pages to which those
-- went that came no further, the five most frequent: [page, sessions], page 0 for those that left.
create table funnel_step_day (
  funnel_id integer not null references funnel (id) on delete cascade,
  day integer not null check (day between 19700101 and 99991231),
  step integer not null,
  sessions integer not null,
  next text not null check (json_valid(next)),
  primary key (funnel_id, day, step)
) strict, without rowid;
create index "funnel_step_day#day" on funnel_step_day (day);
-- What people note of a day or a moment, for whoever reads the figures. A day stays that date if the time zone changes.
create table annotation (
  id integer primary key autoincrement,
  -- The day as yyyymmdd, or the moment in seconds since 1970.
  at integer not null,
  whole_day integer not null check (whole_day in (0, 1)),
  text text not null,
  kind text not null check (kind in ('note', 'deploy', 'campaign', 'outage')),
  link text,
  created_by text,
  created_at integer not null
) strict;
create index "annotation#whole_day#at" on annotation (whole_day, at);

-- What administrators want to be told of, where it differs from the defaults. What `threshold` and `hours` mean depends on
-- the kind.
create table alert (
  id integer primary key,
  kind text not null unique check (kind in ('silent', 'spike', 'drop', 'refused', 'not_found', 'goal', 'disk')),
  threshold integer not null,
  hours integer,
  enabled integer not null check (enabled in (0, 1))
) strict;

-- Alerts that were raised. `details` are the numbers of its sentence, `goal` the name of the goal that it is about.
create table alert_history (
  id integer primary key autoincrement,
  kind text not null check (kind in ('silent', 'spike', 'drop', 'refused', 'not_found', 'goal', 'disk')),
  began_at integer not null,
  -- Null while it lasts.
  ended_at integer,
  details text not null check (json_valid(details)),
  goal text,
  -- When messages about its beginning and its end were sent; null if not.
  told_at integer,
  told_end_at integer
) strict;
create index "alert_history#began_at" on alert_history (began_at);

-- Application passwords: only a keyed hash of each is kept.
create table app_password (
  uuid text primary key,
  user_id integer not null references user (id) on delete cascade,
  name text not null,
  hash blob not null unique,
  scopes text not null default '["all"]',
  filters text,
  created_at integer not null,
  expires_at integer,
  last_used_at integer,
  last_address text
) strict, without rowid;
create unique index "app_password#user_id#name" on app_password (user_id, name collate nocase);

-- Logged-in browsers, known by the hash of their cookie. Network, browser and system are those of the login.
create table login_session (
  hash blob primary key,
  uuid text not null unique,
  user_id integer not null references user (id) on delete cascade,
  created_at integer not null,
  expires_at integer not null,
  network text,
  -- Whether the user had not logged in from this network before.
  new_network integer not null check (new_network in (0, 1)),
  browser text,
  os text
) strict, without rowid;

-- Networks (IPv4 /24, IPv6 /48) from which a user has logged in during the last year.
create table login_network (
  user_id integer not null references user (id) on delete cascade,
  network text not null,
  first_at integer not null,
  last_at integer not null,
  primary key (user_id, network)
) strict, without rowid;

-- Second factors (RFC 6238). Codes are calculated from the secret, so that it cannot be a hash.
create table user_totp (
  user_id integer primary key references user (id) on delete cascade,
  secret blob not null,
  -- Null until a first code has shown that the user's app has the secret.
  confirmed_at integer,
  -- The time step of the last code that was used: each is valid once.
  last_step integer not null
) strict;

-- Codes for users without their app, each valid once: only a keyed hash is kept.
create table recovery_code (
  hash blob primary key,
  user_id integer not null references user (id) on delete cascade
) strict, without rowid;
create index "recovery_code#user_id" on recovery_code (user_id);

-- Browsers that have logged in, known by the hash of a cookie; it grants nothing, but an attack does not make them wait.
create table login_device (
  hash blob not null,
  user_id integer not null references user (id) on delete cascade,
  used_at integer not null,
  primary key (hash, user_id)
) strict, without rowid;

-- Links that show the reports to anyone who has them; only the hash of their token is stored.
create table share_link (
  uuid text primary key,
  hash blob not null unique,
  name text not null,
  filters text not null check (json_valid(filters)),
  password_hash text,
  -- Whether it shows goals and funnels.
  goals integer not null check (goals in (0, 1)),
  -- Whether it shows annotations, whose texts may be internal.
  annotations integer not null check (annotations in (0, 1)),
  created_at integer not null,
  expires_at integer
) strict, without rowid;

-- Host platforms, such as WordPress, whose tokens are accepted. Tokens are verified with the secret, so that it cannot be
-- a hash; no copy of the file holds it.
create table pairing (
  uuid text primary key,
  platform text not null,
  secret text not null,
  created_at integer not null
) strict, without rowid;

-- One-time login links, known by the hash of their token.
create table login_link (
  hash blob primary key,
  user_id integer not null references user (id) on delete cascade,
  expires_at integer not null
) strict, without rowid;

-- The process that has the file to itself; the lock beside the file is what decides, this row only names it.
create table holder (
  id integer primary key check (id = 1),
  pid integer not null,
  command text not null,
  since integer not null
) strict;

-- When each job ran last, so that one missed while nothing ran is caught up.
create table job (
  name text primary key,
  last_run integer not null,
  last_duration_ms integer not null,
  last_error text
) strict, without rowid;

-- The salt of a day's visitor hashes, destroyed 30 minutes after the day has ended. No copy of the file has it.
-- That of visitors who consented to be known on later days has the day 99991231, and lasts as long as the consent mode.
create table day_salt (
  day integer primary key check (day between 19700101 and 99991231),
  salt blob not null,
  expires_at integer not null
) strict;

-- Visitors, known by the salted hash. The row goes when its salt goes, its number stays in sessions and views.
-- A visitor who consented to be known on later days has the day 99991231.
-- Memory finds them by their hash: an index here would cost a page of the log for nearly every hit.
create table visitor (
  id integer primary key autoincrement,
  day integer not null check (day between 19700101 and 99991231),
  hash blob not null
) strict;
create unique index "visitor#hash" on visitor (hash) where day = 99991231;

-- Hosts of the site's pages: lower case, without a leading www. and port; '' where it is not known.
create table host (
  id integer primary key,
  name text not null unique
) strict;

-- A page is a path of one host, so that whatever names a page tells the host as well. Host 0 is that of a page which the
-- CMS has described by its path alone; the first host with a view of it takes it over.
create table page (
  id integer primary key,
  path text not null,
  host_id integer not null,
  -- What the CMS calls it, else the most frequent title of the last 30 days on which it had one.
  title_id integer
) strict;
create unique index "page#path#host_id" on page (path, host_id);

-- Pages as reports name them: with their host once the file knows several.
create view named_page as
select p.id, iif((select count(*) from host where name <> '') > 1, ifnull(h.name, ''), '') || p.path as name, p.title_id
from page p
left join host h on h.id = p.host_id;

-- What trackers say of a page.
create table page_content (
  page_id integer primary key,
  resource_type text,
  resource_id integer,
  author text,
  published_at text,
  status integer
) strict;

-- What the CMS has said of a page with POST /content: it stands over what trackers say, whom anybody can imitate.
create table cms_page (
  page_id integer primary key,
  resource_type text,
  author text,
  published_at text,
  title_id integer
) strict;

-- Interned texts: titles, screens, languages, time zones, event names, properties.
create table label (
  id integer primary key,
  text text not null,
  -- The first 48 bits of the text's SHA-256, by which it is found: an index of long texts would store them twice.
  hash integer not null
) strict;
create index "label#hash" on label (hash);

-- Where a session came from.
create table origin (
  id integer primary key,
  channel text not null,
  source text not null,
  domain text
) strict;
create unique index "origin#channel#source#domain" on origin (channel, source, ifnull(domain, ''));

create index "origin#domain" on origin (domain) where domain is not null;

-- The UTM values a session came with.
create table campaign (
  id integer primary key,
  source text,
  medium text,
  campaign text,
  term text,
  content text
) strict;
create unique index "campaign#all" on campaign (
  ifnull(source, ''), ifnull(medium, ''), ifnull(campaign, ''), ifnull(term, ''), ifnull(content, '')
);

-- The spelling in which a UTM value came first; later ones are compared with it without case.
create table utm_value (
  name text not null,
  folded text not null,
  text text not null,
  primary key (name, folded)
) strict, without rowid;

create table place (
  id integer primary key,
  continent text,
  country text,
  region text,
  city text
) strict;
create unique index "place#all" on place (
  ifnull(continent, ''), ifnull(country, ''), ifnull(region, ''), ifnull(city, '')
);

-- The kind of device and programs, as far as reports show them; never a whole user agent.
create table client (
  id integer primary key,
  device text not null,
  browser text,
  browser_version text,
  os text,
  os_version text
) strict;
create unique index "client#all" on client (
  device, ifnull(browser, ''), ifnull(browser_version, ''), ifnull(os, ''), ifnull(os_version, '')
);

-- One visit. Its dimensions are those of its first view; `events` leaves not_found out, because a bounce may have those.
create table session (
  id integer primary key,
  visitor_id integer not null,
  -- The visitor's number after midnight or consent, where the visit went on under another hash.
  rekeyed_visitor_id integer,
  started_at integer not null,
  ended_at integer not null,
  views integer not null,
  events integer not null,
  entry_page_id integer not null,
  exit_page_id integer not null,
  origin_id integer not null,
  campaign_id integer,
  place_id integer,
  client_id integer not null,
  screen_id integer,
  language_id integer,
  timezone_id integer
) strict;
create index "session#started_at" on session (started_at);

-- The few sessions of more than six hours: those under way at a moment are found without reading all before it.
create index "session#ended_at" on session (ended_at) where ended_at - started_at > 21600;

-- One page view. id = second since 1970 << 20 | sequence within the second, so that the primary key is the time index.
create table view (
  id integer primary key,
  session_id integer not null,
  visitor_id integer not null,
  page_id integer not null,
  title_id integer,
  -- Visible seconds and percent of the page seen; null until an engagement update tells.
  seconds integer,
  scroll integer
) strict;

-- Ids used to detect duplicates for 48 hours: the first 8 bytes of their SHA-256, indexed in memory like visitors.
create table recent_view (
  view_id integer primary key,
  hash blob not null
) strict;

-- Ids too short to be unique across the site are known within the visitor. A change of consent can bring two views of one id together.
create table recent_short_view (
  pvid text not null,
  visitor_id integer not null,
  view_id integer not null,
  primary key (pvid, visitor_id, view_id)
) strict, without rowid;
create index "recent_short_view#view_id" on recent_short_view (view_id);

-- One custom event. id is made as that of a view. Without a session under way it has none.
create table event (
  id integer primary key,
  session_id integer,
  visitor_id integer not null,
  page_id integer,
  name_id integer not null,
  value real,
  -- As the visitor sent it.
  order_id text,
  -- What it says about orders: it claims the order for its session, which started no checkout before (0) or did (1);
  -- or it is the session's first start of a checkout (2). What one session can claim is bounded.
  claim integer check (claim in (0, 1, 2))
) strict;

-- A property of an event; text, number or truth value as its text.
create table event_property (
  event_id integer not null,
  key_id integer not null,
  value_id integer not null,
  primary key (event_id, key_id)
) strict, without rowid;

-- As recent_view and recent_short_view, for events.
create table recent_event (
  event_id integer primary key,
  hash blob not null
) strict;

create table recent_short_event (
  event_key text not null,
  visitor_id integer not null,
  event_id integer not null,
  primary key (event_key, visitor_id, event_id)
) strict, without rowid;
create index "recent_short_event#event_id" on recent_short_event (event_id);

-- Names that events have had.
create table event_name (
  name_id integer primary key
) strict;

-- Keys that an event name has had.
create table event_key (
  name_id integer not null,
  key_id integer not null,
  primary key (name_id, key_id)
) strict, without rowid;

-- Values that a key of an event name has had.
create table event_value (
  name_id integer not null,
  key_id integer not null,
  value_id integer not null,
  primary key (name_id, key_id, value_id)
) strict, without rowid;

-- How many new values visitors have brought on a day, by kind: what they can fill is bounded.
create table novelty (
  day integer not null check (day between 19700101 and 99991231),
  kind text not null,
  used integer not null,
  -- Values that were counted as (other).
  refused integer not null,
  primary key (day, kind)
) strict, without rowid;

-- How far the import of a content has come; started again, it goes on after these lines.
create table import_progress (
  fingerprint text primary key,
  lines integer not null,
  finished integer not null
) strict, without rowid;

-- Histories of other analytics programs. Their sessions and visitors have the numbers of an origin, as those of an
-- archive do; it is never given again.
create table import (
  id integer primary key autoincrement,
  format text not null,
  -- That of the content; null once it was undone, so that the same may come again.
  fingerprint text unique,
  origin integer not null,
  source_timezone text not null,
  grain text not null check (grain in ('sums', 'visits')),
  first_day integer not null check (first_day between 19700101 and 99991231),
  last_day integer not null check (last_day between 19700101 and 99991231),
  rows integer not null,
  refused integer not null,
  started_at integer not null,
  finished_at integer,
  undone_at integer,
  notes text not null check (json_valid(notes))
) strict;

-- The days of a history: each belongs to one, and has nothing else when it is imported.
create table import_day (
  day integer primary key check (day between 19700101 and 99991231),
  import_id integer not null,
  grain text not null check (grain in ('sums', 'visits')),
  -- 0 until the day is written.
  stored integer not null check (stored in (0, 1))
) strict;
create index "import_day#import_id" on import_day (import_id);

-- What became of every collection request, a day: received = accepted + repeated + refusals.
create table ledger (
  day integer not null check (day between 19700101 and 99991231),
  outcome text not null,
  requests integer not null,
  primary key (day, outcome)
) strict, without rowid;

-- The same by the hour (seconds since 1970 / 3600), for two days: what happened in the last 24 hours.
create table ledger_hour (
  hour integer not null,
  outcome text not null,
  requests integer not null,
  primary key (hour, outcome)
) strict, without rowid;

-- Requests refused for a host that is not the site's.
create table foreign_host_day (
  day integer not null check (day between 19700101 and 99991231),
  host text not null,
  requests integer not null,
  primary key (day, host)
) strict, without rowid;

-- Days whose rollups are behind their raw rows. `marks` tells whether more came while a day was being derived.
create table dirty_day (
  day integer primary key check (day between 19700101 and 99991231),
  marks integer not null
) strict;

-- Rollups: a pure function of the raw rows of a day, and kept longer than these.
create table site_day (
  day integer primary key check (day between 19700101 and 99991231),
  visitors integer not null,
  sessions integer not null,
  views integer not null,
  bounces integer not null,
  seconds integer not null
) strict;

-- Hours are counted from the day's first second, so that each is one also where clocks change.
create table hour_day (
  day integer not null check (day between 19700101 and 99991231),
  hour integer not null check (hour between 0 and 25),
  visitors integer not null,
  sessions integer not null,
  views integer not null,
  bounces integer not null,
  seconds integer not null,
  primary key (day, hour)
) strict, without rowid;

-- Breakdowns. A period is a day as yyyymmdd, or a whole month as yyyymm00: months let long ranges read few rows.
create table page_rollup (
  period integer not null check (period between 19700100 and 99991231),
  page_id integer not null,
  visitors integer not null,
  sessions integer not null,
  views integer not null,
  entries integer not null,
  entry_visitors integer not null,
  exits integer not null,
  exit_visitors integer not null,
  bounces integer not null,
  seconds integer not null,
  timed_views integer not null,
  scroll_sum integer not null,
  scroll_views integer not null,
  primary key (period, page_id)
) strict, without rowid;

create table title_day (
  page_id integer not null,
  day integer not null check (day between 19700101 and 99991231),
  title_id integer not null,
  views integer not null,
  primary key (page_id, day, title_id)
) strict, without rowid;
create index "title_day#day" on title_day (day);

create table source_rollup (
  period integer not null check (period between 19700100 and 99991231),
  origin_id integer not null,
  visitors integer not null,
  sessions integer not null,
  views integer not null,
  bounces integer not null,
  primary key (period, origin_id)
) strict, without rowid;

-- A dimension's value, '' where it is unknown; `within` is the country of a region or city.
create table dimension_rollup (
  dimension text not null,
  period integer not null check (period between 19700100 and 99991231),
  value text not null,
  within text not null,
  visitors integer not null,
  sessions integer not null,
  views integer not null,
  bounces integer not null,
  primary key (dimension, period, value, within)
) strict, without rowid;

-- UTM values by grouping, '' where a session has none.
create table utm_rollup (
  grouping text not null,
  period integer not null check (period between 19700100 and 99991231),
  source text not null,
  medium text not null,
  campaign text not null,
  term text not null,
  content text not null,
  visitors integer not null,
  sessions integer not null,
  views integer not null,
  bounces integer not null,
  primary key (grouping, period, source, medium, campaign, term, content)
) strict, without rowid;

create table event_rollup (
  period integer not null check (period between 19700100 and 99991231),
  name_id integer not null,
  total integer not null,
  visitors integer not null,
  sessions integer not null,
  value_sum real not null,
  last_event_id integer not null,
  primary key (period, name_id)
) strict, without rowid;

create table event_property_rollup (
  name_id integer not null,
  period integer not null check (period between 19700100 and 99991231),
  key_id integer not null,
  value_id integer not null,
  total integer not null,
  primary key (period, name_id, key_id, value_id)
) strict, without rowid;

create table event_page_rollup (
  name_id integer not null,
  period integer not null check (period between 19700100 and 99991231),
  page_id integer not null,
  total integer not null,
  primary key (period, name_id, page_id)
) strict, without rowid;

-- The visits of a day that is over, in columns, for reports about a part of them; it holds no more than the rows it was
-- made of, and goes with any of them. Without a byte where a day cannot be packed; a single one while it is being packed.
create table packed_day (
  day integer primary key check (day between 19700101 and 99991231),
  columns blob not null
) strict;

-- Five-day blocks, months and quarters that are summed up; recalculating one of its days removes a period.
create table rolled_period (
  period integer primary key check (period % 100 = 0),
  first_day integer not null,
  last_day integer not null,
  -- 0 while it is being added up.
  complete integer not null check (complete in (0, 1))
) strict;

-- The shop's orders, as far as reports need them: nothing of the customer.
create table shop_order (
  -- The shop's own number.
  id integer primary key,
  -- 0 for an order of which only the deletion is known.
  modified_at integer not null,
  deleted integer not null check (deleted in (0, 1)),
  status text not null,
  currency text not null check (length(currency) = 3),
  created_at integer not null,
  paid_at integer,
  total integer not null,
  tax integer not null,
  shipping integer not null,
  origin_id integer not null,
  campaign_id integer,
  landing_page_id integer,
  -- What told the three above: the shop, a recorded session, or nothing yet.
  attributed_by text not null check (attributed_by in ('shop', 'session', 'nothing')),
  -- Lists of rows: [product, variation, units in millionths, total]; [code, discount];
  -- [refund, amount, made at, date known, parts or null]. src/shop/content.ts reads and writes them.
  lines text not null check (json_valid(lines)),
  coupons text not null check (json_valid(coupons)),
  refunds text not null check (json_valid(refunds))
) strict;
create index "shop_order#deleted" on shop_order (deleted);

-- How a product or variation was called by the newest order that holds it. A variation of 0 is the product itself.
create table shop_product (
  product_id integer not null,
  variation_id integer not null,
  name text not null,
  -- The moment and number of the order the name is from.
  named_at integer not null,
  order_id integer not null,
  primary key (product_id, variation_id)
) strict, without rowid;

-- Rollups of orders, kept in step with them in each transaction. One row a kind of breakdown, currency, period and key.
-- A period is a day (20260314), the five-day block, month or quarter around it (src/lib/period.ts), or 0 for all time.
-- What a key is follows from the kind: a label, a UTM set, a page, a product with `part` for its variation.
create table revenue_period (
  kind text not null,
  currency text not null,
  period integer not null,
  key integer not null,
  part integer not null,
  orders integer not null,
  gross integer not null,
  tax integer not null,
  shipping integer not null,
  net integer not null,
  refunded integer not null,
  discount integer not null,
  units integer not null,
  refunded_units integer not null,
  primary key (kind, currency, period, key, part)
) strict, without rowid;

-- Stored orders for which a claim came in, until their attribution has been looked at again.
create table shop_purchase (
  order_id integer primary key
) strict;
create index "event#order_id#claim" on event (order_id, claim) where claim is not null;
create index "event#session_id" on event (session_id) where claim is not null;

-- Sessions that reached a stage of the funnel on a day.
create table funnel_day (
  day integer not null check (day between 19700101 and 99991231),
  stage text not null,
  sessions integer not null,
  primary key (day, stage)
) strict, without rowid;

-- What the shop says of itself; absent knowledge is null.
create table shop_info (
  id integer primary key check (id = 1),
  woocommerce_version text,
  currency text,
  hpos_enabled integer,
  attribution_enabled integer,
  checked_at integer
) strict;

-- Deliveries of the shop's webhooks.
create table shop_webhook (
  id integer primary key check (id = 1),
  last_received_at integer,
  rejected integer not null
) strict;

-- The backfill and the reconcile: where they are, and whose turn it is.
create table shop_backfill (
  id integer primary key check (id = 1),
  state text not null check (state in ('idle', 'pending', 'running', 'done', 'failed', 'cancelled')),
  from_day integer,
  to_day integer,
  cursor text,
  total integer,
  processed integer not null,
  refunds integer not null,
  started_at integer,
  finished_at integer,
  last_error text,
  orders_in_shop integer,
  lease_until integer
) strict;
insert into shop_backfill (id, state, processed, refunds)
values (1, 'idle', 0, 0);

-- The questions that an identity has pinned, in order; none for one that never chose.
create table advisor_preference (
  identity text primary key,
  pinned text not null check (json_valid(pinned))
) strict, without rowid;
