-- A view known by its id for 48 hours.
select visitor_id, view_id
from recent_view
where pvid = @pvid
  and scope = @scope
