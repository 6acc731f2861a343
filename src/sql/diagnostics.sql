-- name: facts
-- What the newest and oldest raw rows are, and what waits to be derived; one row.
select (select max(id) from view) as newest_view,
  (select max(id) from event) as newest_event,
  (select min(started_at) from session) as oldest_session,
  (select count(*) from dirty_day) as dirty_days,
  (select u.login from installation i join user u on u.id = i.value where i.name = 'first_password') as first_password

-- name: outcomes
-- Outcomes of the requests of the last hours.
select outcome, sum(requests) as requests
from ledger_hour
where hour >= @hour
group by outcome
order by outcome

-- name: foreign-host
-- The foreign host with the most rejected requests since a day.
select host, sum(requests) as requests
from foreign_host_day
where day >= @day
group by host
order by sum(requests) desc, host
limit 1

-- name: novelty
-- A kind of which new values were counted as (other), and how many.
select kind, sum(refused) as refused
from novelty
where day >= @day
  and refused > 0
group by kind
order by kind

-- name: new-network
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

-- name: no-second-factor
-- An administrator without a second factor.
select u.login
from user u
left join user_totp t on t.user_id = u.id
where u.role = 'administrator'
  and t.confirmed_at is null
order by u.login
