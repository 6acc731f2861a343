-- name: secrets
-- The number of secrets stored in any form other than a hash; one row.
select (select count(*) from user where password_hash not like '$scrypt$ln=%') as passwords,
  (select count(*) from app_password where length(hash) <> 32) as app_passwords

-- name: linkable
-- The visits of two days, their visitors, and the visits whose properties one visitor alone had on each of the days; one row.
with visit as (
  select started_at >= @middle as day, visitor_id, ifnull(place_id, 0) as place, client_id as client,
    ifnull(screen_id, 0) as screen, ifnull(language_id, 0) as language, evidence
  from session
  where started_at >= @start
    and started_at < @end
),
linkable as (
  select count(*) as visits
  from visit
  group by place, client, screen, language, evidence
  having count(distinct iif(day = 0, visitor_id, null)) = 1
    and count(distinct iif(day = 1, visitor_id, null)) = 1
)
select (select count(*) from visit) as visits, (select count(distinct visitor_id) from visit) as visitors,
  (select ifnull(sum(visits), 0) from linkable) as linkable
