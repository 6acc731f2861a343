delete from view
where visitor_id = @visitor_id
