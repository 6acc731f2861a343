-- name: add
-- The new subscription.
insert into subscription (uuid, user_id, hash, address, period, language, filters, created_at, sent_to)
values (@uuid, @user_id, @hash, @address, @period, @language, @filters, @created_at, @sent_to)

-- name: list
-- A subscription with its user.
select uuid, user_id, address, period, language, subscription.filters, subscription.created_at, sent_to, login, role, user.filters as held
from subscription
join user on user.id = subscription.user_id
order by login, subscription.created_at, uuid

-- name: end
-- The subscription, of this user if one is given, ended.
delete from subscription
where uuid = @uuid
  and (@user_id is null or user_id = @user_id)
returning user_id, period

-- name: find
-- The subscription with this hash.
select uuid
from subscription
where hash = @hash

-- name: note-sent
-- A subscription whose digest was sent.
update subscription
set sent_to = @sent_to
where uuid = @uuid
