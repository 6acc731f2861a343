-- name: annotation.changes
-- A change of a setting or of the program's version, from the audit log.
select at, action, details
from audit
where at >= @start
  and at < @end
  and action in ('setting_changed', 'setting_entries_changed', 'setting_secret_changed', 'version_changed')
order by id

-- name: annotation.hours
-- A day with its views, and the hours in which something was counted, as bits.
select s.day, s.views, ifnull(sum(1 << h.hour), 0) as hours
from site_day s
left join hour_day h on h.day = s.day and h.views + h.visitors > 0
where s.day between @from and @to
group by s.day
order by s.day

-- name: annotation.suspects
-- A day's visits, and those of them that look automated and are in the figures.
select s.day, s.sessions as visits, ifnull(d.sessions, 0) as suspect
from site_day s
left join dimension_rollup d on d.dimension = 'suspect'
  and d.period = s.day
  and d.value = 'suspect'
  and d.within = ''
where s.day between @from and @to
order by s.day
