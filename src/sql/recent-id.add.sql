insert into recent_id (kind, visitor_id, key, id)
values (@kind, @visitor_id, @key, @id)
