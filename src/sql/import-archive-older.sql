-- name: archive.older.begin.script
create temp table if not exists gathered_dimension as select * from new_dimension_rollup where false;
delete from temp.gathered_dimension;

-- name: archive.gather.script
-- Values that have become one are one row.
insert into temp.gathered_dimension (dimension, period, value, within, visitors, sessions, views, bounces)
select dimension, period, value, within, sum(visitors), sum(sessions), sum(views), sum(bounces)
from temp.new_dimension_rollup
group by dimension, period, value, within;
delete from temp.new_dimension_rollup;
insert into temp.new_dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select dimension, period, value, within, visitors, sessions, views, bounces
from temp.gathered_dimension;

-- name: archive.clear-coarse
delete from dimension_rollup
where dimension in ('screen', 'language', 'browser_version', 'os_version')
  and period = @day

-- name: archive.derive-coarse
-- A visitor of two values that have become one is one visitor of it: only the single visits tell.
insert into dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select dimension, period, value, within, sum(visitors), sum(sessions), sum(views), sum(bounces)
from temp.new_dimension_rollup
where dimension in ('screen', 'language', 'browser_version', 'os_version')
  and period = @day
group by dimension, period, value, within
