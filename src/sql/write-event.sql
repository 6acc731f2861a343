-- name: event.add
insert into event (id, session_id, visitor_id, page_id, name_id, value, order_id)
values (@id, @session_id, @visitor_id, @page_id, @name_id, @value, @order_id)

-- name: event-property.add
insert into event_property (event_id, key_id, value_id)
values (@event_id, @key_id, @value_id)
on conflict (event_id, key_id) do nothing
