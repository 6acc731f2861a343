insert into rolled_month (month, last_day)
values (@month, @last_day)
on conflict (month) do update
set last_day = excluded.last_day
