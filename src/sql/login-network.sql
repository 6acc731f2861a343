-- name: add
-- A network from which the user has just logged in.
insert into login_network (user_id, network, first_at, last_at)
values (@user_id, @network, @now, @now)
on conflict (user_id, network) do update
set last_at = excluded.last_at

-- name: find
-- From how many networks the user has logged in, and whether this is one of them; one row.
select count(*) as networks, ifnull(sum(network = @network), 0) as known
from login_network
where user_id = @user_id

-- name: prune
-- A network from which the user has not logged in for long.
delete from login_network
where user_id = @user_id
  and last_at <= @since
