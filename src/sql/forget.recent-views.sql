delete from recent_view
where view_id in (select id from view where visitor_id = @visitor_id)
