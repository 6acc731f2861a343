-- Visits carry what they are suspected by: a bit for each rule of src/bots/rules.ts that fired, and whether that suffices.
alter table session add column evidence integer not null default 0;
alter table session add column suspect integer not null default 0 check (suspect in (0, 1));

-- The few visits that any rule fired for, by time.
create index "session#evidence" on session (started_at, ended_at, evidence, suspect) where evidence <> 0;

-- Suspect visits that are in no figure, as the operator chose.
create table left_out (
  session_id integer primary key references session (id) on delete cascade
) strict;

-- Of the days so far nothing is suspected.
insert into dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select 'suspect', day, 'people', '', visitors, sessions, views, bounces
from site_day;

insert into dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select 'suspect', p.period, 'people', '', sum(d.visitors), sum(d.sessions), sum(d.views), sum(d.bounces)
from rolled_period p
join site_day d on d.day between p.first_day and p.last_day
group by p.period;
