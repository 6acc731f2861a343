-- name: find
-- How many new values of a kind were added on a day.
select used
from novelty
where day = @day
  and kind = @kind

-- name: add
insert into novelty (day, kind, used, refused)
values (@day, @kind, @used, @refused)
on conflict (day, kind) do update
set used = used + excluded.used,
  refused = refused + excluded.refused

-- name: remove-before
delete from novelty
where day < @day
