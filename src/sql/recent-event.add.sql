insert into recent_event (event_id, hash)
values (@id, @hash)
