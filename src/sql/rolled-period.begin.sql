insert into rolled_period (period, first_day, last_day, complete)
values (@period, @first_day, @last_day, 0)
on conflict (period) do nothing
