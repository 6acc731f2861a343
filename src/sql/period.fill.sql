-- The months within a range that are summed up, and its other days one by one.
insert into temp.period (period)
select month
from rolled_month
where month >= @from - 1
  and last_day <= @to
union all
select d.value
from json_each(@days) d
where d.value / 100 * 100 not in (
  select month
  from rolled_month
  where month >= @from - 1
    and last_day <= @to
)
