-- name: add
-- What somebody did.
insert into audit (at, who, action, details)
values (@at, @who, @action, @details)

-- name: list
-- A page of what was done, newest first.
select at, who, action, details
from audit
order by id desc
limit @limit
offset @offset

-- name: count
-- How many entries there are.
select count(*) as entries
from audit

-- name: remove-before
-- Entries that have been kept long enough.
delete from audit
where at < @before

-- name: take-failures
-- The hour's failed logins of a user, or of unknown names, to be counted on.
delete from audit
where at >= @since
  and action = @action
  and details ->> 'user' is @user
returning details ->> 'count' as count
