insert into novelty (day, kind, used)
values (@day, @kind, 1)
on conflict (day, kind) do update
set used = used + 1
