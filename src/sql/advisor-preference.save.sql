insert into advisor_preference (identity, pinned)
values (@identity, @pinned)
on conflict (identity) do update
set pinned = excluded.pinned
