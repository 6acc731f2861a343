-- The claims of a session, and the event that starts its checkout.
select id, order_id, claim
from event
where session_id = @session_id
  and claim is not null
