insert into recent_short_view (pvid, visitor_id, view_id)
values (@key, @visitor_id, @id)
