insert into recent_view (pvid, scope, visitor_id, view_id)
values (@pvid, @scope, @visitor_id, @view_id)
