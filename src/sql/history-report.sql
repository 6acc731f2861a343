-- name: import.months
-- What the days of an import have, by month.
select s.day / 100 as month, sum(s.visitors) as visitors, sum(s.sessions) as visits, sum(s.views) as views
from import_day d
join site_day s on s.day = d.day
where d.import_id = @import_id
group by s.day / 100
order by month
