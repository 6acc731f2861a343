insert into dirty_day (day)
values (@day)
on conflict (day) do nothing
