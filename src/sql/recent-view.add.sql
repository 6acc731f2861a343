insert into recent_view (view_id, hash)
values (@id, @hash)
