-- Where a day is derived before it is written: nothing of this takes the write lock. Shapes follow the tables.
drop table if exists temp.visit;
drop table if exists temp.new_site_day;
drop table if exists temp.new_hour_day;
drop table if exists temp.new_page_day;
drop table if exists temp.new_title_day;
drop table if exists temp.new_source_day;
drop table if exists temp.new_dimension_day;
drop table if exists temp.new_utm_day;
drop table if exists temp.new_event_day;
drop table if exists temp.new_event_property_day;
drop table if exists temp.new_event_page_day;
drop table if exists temp.new_funnel_day;
create temp table visit (
  session_id integer not null,
  visitor_id integer not null,
  views integer not null,
  began integer not null,
  bounced integer not null,
  origin_id integer not null,
  campaign_id integer,
  place_id integer,
  client_id integer not null,
  screen_id integer,
  language_id integer,
  timezone_id integer
);
create temp table new_site_day as select * from site_day where false;
create temp table new_hour_day as select * from hour_day where false;
create temp table new_page_day as select * from page_day where false;
create temp table new_title_day as select * from title_day where false;
create temp table new_source_day as select * from source_day where false;
create temp table new_dimension_day as select * from dimension_day where false;
create temp table new_utm_day as select * from utm_day where false;
create temp table new_event_day as select * from event_day where false;
create temp table new_event_property_day as select * from event_property_day where false;
create temp table new_event_page_day as select * from event_page_day where false;
create temp table new_funnel_day as select * from funnel_day where false;
