-- name: session.of-purchase
-- The source of the session to which an order is attributed. Of the claims in the order's time those of sessions that went
-- through checkout come first; then the latest until the payment, else the earliest after it. The index finds each.
with claimed(id, session_id, claim) as not materialized (
  select id, session_id, claim
  from event
  where order_id = @order_id
    and claim is not null
    and id >= @first_id
    and id < @end_id
)
select o.channel, s.origin_id, s.campaign_id, s.entry_page_id as landing_page_id
from (
  select 1 as place, session_id
  from (select session_id from claimed where claim = 1 and id < @paid_id order by id desc limit 1)
  union all
  select 2, session_id
  from (select session_id from claimed where claim = 1 and id >= @paid_id order by id limit 1)
  union all
  select 3, session_id
  from (select session_id from claimed where claim = 0 and id < @paid_id order by id desc limit 1)
  union all
  select 4, session_id
  from (select session_id from claimed where claim = 0 and id >= @paid_id order by id limit 1)
) c
join session s on s.id = c.session_id
join origin o on o.id = s.origin_id
order by c.place
limit 1
