-- name: find
-- The pinned questions of an identity.
select pinned
from advisor_preference
where identity = @identity

-- name: save
insert into advisor_preference (identity, pinned)
values (@identity, @pinned)
on conflict (identity) do update
set pinned = excluded.pinned

-- name: remove
delete from advisor_preference
where identity = @identity
