-- A network from which the user has just logged in.
insert into login_network (user_id, network, first_at, last_at)
values (@user_id, @network, @now, @now)
on conflict (user_id, network) do update
set last_at = excluded.last_at
