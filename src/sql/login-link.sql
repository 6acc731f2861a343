-- name: add
-- The new one-time link.
insert into login_link (hash, user_id, expires_at)
values (@hash, @user_id, @expires_at)

-- name: find
-- The link with this hash, while it can be used.
select user_id
from login_link
where hash = @hash
  and expires_at > @now

-- name: consume
-- The link with this hash, used up.
delete from login_link
where hash = @hash
  and expires_at > @now
returning user_id

-- name: remove-expired
-- A link whose hour is over.
delete from login_link
where expires_at <= @now
