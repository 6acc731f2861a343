insert into dirty_day (day, marks)
values (@day, 1)
on conflict (day) do update
set marks = marks + 1
