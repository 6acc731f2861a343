insert into temp.packed_visit (breakdown, id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced)
values (@breakdown, @id, @visitors, @sessions, @views, @bounces, @visitor_id, @session_id, @began, @bounced)
