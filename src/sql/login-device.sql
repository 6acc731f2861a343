-- name: add
-- A device from which the user has just logged in.
insert into login_device (hash, user_id, used_at)
values (@hash, @user_id, @now)
on conflict (hash, user_id) do update
set used_at = excluded.used_at

-- name: find
-- The device, if the account with this login was used on it since then.
select d.hash
from login_device d
join user u on u.id = d.user_id
where d.hash = @hash
  and u.login = @login
  and d.used_at > @since

-- name: replace
-- A device under the hash of its new cookie.
update or replace login_device
set hash = @hash
where hash = @previous

-- name: prune
-- A device of the user that has not been used for long, or is not one of the last ones used.
delete from login_device
where user_id = @user_id
  and (
    used_at <= @since
    or hash not in (
      select hash
      from login_device
      where user_id = @user_id
      order by used_at desc
      limit @keep
    )
  )
