delete from visitor
where id = @visitor_id
