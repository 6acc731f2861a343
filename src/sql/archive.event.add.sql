-- An imported event keeps its id.
insert into event (id, session_id, visitor_id, page_id, name_id, value, order_id)
values (@id, @session_id, @visitor_id, @page_id, @name_id, @value, @order_id)
