-- A day with its views, and the hours in which something was counted, as bits.
select s.day, s.views, ifnull(sum(1 << h.hour), 0) as hours
from site_day s
left join hour_day h on h.day = s.day and h.views + h.visitors > 0
where s.day between @from and @to
group by s.day
order by s.day
