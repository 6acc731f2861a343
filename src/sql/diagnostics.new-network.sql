-- A login since then from a network that was new to a user who had logged in before, newest first.
select u.login, n.network, n.first_at
from login_network n
join user u on u.id = n.user_id
where n.first_at > @since
  and exists (
    select 1
    from login_network e
    where e.user_id = n.user_id
      and e.first_at < n.first_at
  )
order by n.first_at desc, u.login
limit 5
