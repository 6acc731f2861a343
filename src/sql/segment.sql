-- name: tables
-- The rows that a segment selects, one day at a time. Temporary tables take precedence over tables of the database, so
-- derivations read the selected rows instead of the day's raw rows, and reports read the rollups derived from them.
create temp table active_filter (filter text primary key, included integer not null) without rowid;
create temp table filter_value (filter text not null, id integer not null, primary key (filter, id)) without rowid;
-- The values of properties that an event needs, by the number of the filter.
create temp table filter_property (
  filter integer not null,
  key_id integer not null,
  value_id integer not null,
  primary key (filter, key_id, value_id)
) without rowid;
-- The times, in seconds, at which selected sessions began.
create temp table filter_time (start integer primary key, end integer not null);
-- The sessions of each day by the properties of their events.
create temp table property_session (
  day integer not null,
  key_id integer not null,
  value_id integer not null,
  sessions integer not null,
  primary key (day, key_id, value_id)
) without rowid;
-- The pages of the selected hosts, where hosts are filtered.
create temp table host_page (id integer primary key);
-- What was counted of paths: at step 0 where they start; nodes of one session, and those beyond the limit, as sums.
create temp table path_node (
  step integer not null,
  kind text not null check (kind in ('start', 'page', 'event', 'single', 'other')),
  id integer not null,
  sessions integer not null,
  ends integer not null,
  primary key (step, kind, id)
) without rowid;
-- The selected sessions of the day, and those that were active when it began.
create temp table selected_session (
  id integer primary key,
  visitor_id integer not null,
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
  suspect integer not null
);
-- Visits of packed days, grouped for breakdowns; see visit_client.
create temp table packed_visit as select '' as breakdown, * from temp.visit_client where false;
-- Sessions that match by the columns of their own row.
create temp view fitting_session as
select id, visitor_id, started_at, ended_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, suspect
from main.session
where id not in (select session_id from main.left_out)
  and ((select included from temp.active_filter where filter = 'client') is null
    or (+client_id in (select id from temp.filter_value where filter = 'client')) = (select included from temp.active_filter where filter = 'client'))
  and ((select included from temp.active_filter where filter = 'place') is null
    or (ifnull(place_id, 0) in (select id from temp.filter_value where filter = 'place')) = (select included from temp.active_filter where filter = 'place'))
  and ((select included from temp.active_filter where filter = 'origin') is null
    or (+origin_id in (select id from temp.filter_value where filter = 'origin')) = (select included from temp.active_filter where filter = 'origin'))
  and ((select included from temp.active_filter where filter = 'campaign') is null
    or (ifnull(campaign_id, 0) in (select id from temp.filter_value where filter = 'campaign')) = (select included from temp.active_filter where filter = 'campaign'))
  and ((select included from temp.active_filter where filter = 'language') is null
    or (ifnull(language_id, 0) in (select id from temp.filter_value where filter = 'language')) = (select included from temp.active_filter where filter = 'language'))
  and ((select included from temp.active_filter where filter = 'suspect') is null
    or (+suspect in (select id from temp.filter_value where filter = 'suspect')) = (select included from temp.active_filter where filter = 'suspect'))
  and ((select included from temp.active_filter where filter = 'screen') is null
    or (ifnull(screen_id, 0) in (select id from temp.filter_value where filter = 'screen')) = (select included from temp.active_filter where filter = 'screen'))
  and ((select included from temp.active_filter where filter = 'entry_page') is null
    or (+entry_page_id in (select id from temp.filter_value where filter = 'entry_page')) = (select included from temp.active_filter where filter = 'entry_page')
      and ((select included from temp.active_filter where filter = 'host') is null or +entry_page_id in (select id from temp.host_page)))
  and ((select included from temp.active_filter where filter = 'exit_page') is null
    or (+exit_page_id in (select id from temp.filter_value where filter = 'exit_page')) = (select included from temp.active_filter where filter = 'exit_page')
      and ((select included from temp.active_filter where filter = 'host') is null or +exit_page_id in (select id from temp.host_page)))
  and ((select included from temp.active_filter where filter = 'session') is null
    or id in (select id from temp.filter_value where filter = 'session'))
  and ((select included from temp.active_filter where filter = 'time') is null
    or started_at < (select end from temp.filter_time where start <= started_at order by start desc limit 1));
drop table temp.day_session;
drop view temp.day_exit;
-- Of a session that came from another host the begin is left out, as is that of one from another day.
create temp view day_session as
select id, visitor_id,
  iif((select included from temp.active_filter where filter = 'host') is null or entry_page_id in (select id from temp.host_page), started_at, -1) as started_at,
  views, events, entry_page_id, exit_page_id, origin_id, campaign_id, place_id, client_id, screen_id, language_id, suspect
from temp.selected_session;
create temp view day_exit as
select exit_page_id, visitor_id, started_at
from temp.selected_session
where (select included from temp.active_filter where filter = 'host') is null
  or exit_page_id in (select id from temp.host_page);
create temp view event as select * from main.event where id in (select id from temp.day_event);
create temp view site_day as select * from temp.new_site_day;
create temp view hour_day as select * from temp.new_hour_day;
create temp view page_rollup as select * from temp.new_page_rollup;
create temp view source_rollup as select * from temp.new_source_rollup;
create temp view dimension_rollup as select * from temp.new_dimension_rollup;
create temp view utm_rollup as select * from temp.new_utm_rollup;
create temp view event_rollup as select * from temp.new_event_rollup;
create temp view event_property_rollup as select * from temp.new_event_property_rollup;
create temp view event_page_rollup as select * from temp.new_event_page_rollup;
create temp view funnel_day as select * from temp.new_funnel_day;
-- Only days are derived for these tables.
create temp view rolled_period as select * from main.rolled_period where false;

-- name: clear
-- Clears the previous segment.
delete from temp.active_filter;
delete from temp.filter_value;
delete from temp.filter_property;
delete from temp.filter_time;
delete from temp.host_page;
delete from temp.property_session;
delete from temp.selected_session;
delete from temp.path_node;
