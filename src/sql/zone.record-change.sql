insert into timezone_change (changed_at, previous, timezone, first_day)
values (@changed_at, @previous, @timezone, @first_day)
on conflict (changed_at) do nothing
