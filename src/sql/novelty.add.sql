insert into novelty (day, kind, used, refused)
values (@day, @kind, @used, @refused)
on conflict (day, kind) do update
set used = used + excluded.used,
  refused = refused + excluded.refused
